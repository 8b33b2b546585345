// Receivers' addresses for notices of boletos, and Inter's calls to them.
import { MINUTE_MS } from '@cofre/contracts'
import {
  type BankAccount,
  isoTime,
  receiverOf,
  type Conditions,
} from '@cofre/pix-api/simulator-parts'
import type { NoticePost, PostResult } from '@cofre/provider-kit/simulator'
import { pageOf, renderNotice } from './boleto-view.js'
import type { Boleto, Callback, InterBook } from './book.js'
import { InterProblem } from './problem.js'
import { type HistoryQuery, readWebhook } from './wire.js'

const COPIES = { once: 1, twice: 2, never: 0 } as const satisfies Record<
  Conditions['notices'],
  number
>
const RETRIES_MS = [20, 30, 60, 120].map((minutes) => minutes * MINUTE_MS)
const HISTORY_LENGTH_MAX = 1000

type Notice = ReturnType<typeof renderNotice>

/** One call to a receiver, for its history, people and tests. */
export interface CallbackAttempt {
  readonly timeMs: number
  readonly taxId: string
  readonly url: string
  readonly payload: readonly Notice[]
  /** The attempt's number, from 1. */
  readonly number: number
  readonly result: PostResult
}

interface CallbacksDeps {
  readonly book: InterBook
  readonly conditions: Pick<Conditions, 'notices'>
  readonly post: NoticePost
  /** Waits before a retry. */
  readonly wait: (ms: number) => Promise<unknown>
}

export interface Callbacks {
  readonly attempts: readonly CallbackAttempt[]
  /** Sends a notice of a new event, as often as the conditions require. */
  announce(boleto: Boleto): void
  /** Sends earlier notices that the receiver has not accepted, as the bank may have been killed. */
  sendUnsent(taxId: string): void
  /** Sends one notice to each receiver with these boletos in order, whatever the conditions. */
  send(boletos: readonly Boleto[]): void
  /** Resolves when no notice is on its way; one that waits for a retry doesn't count. */
  settled(): Promise<void>
}

export function createCallbacks(deps: CallbacksDeps): Callbacks {
  const { book, conditions, post, wait } = deps
  const attempts: CallbackAttempt[] = []
  const running = new Set<Promise<void>>()

  const deliver = async (taxId: string, payload: readonly Notice[], number = 1): Promise<void> => {
    const callback = book.callbacks.get(taxId)
    if (callback === undefined) return
    const { url, number: account } = callback
    const headers = { 'x-conta-corrente': account }
    const result = await post({ url, body: payload, headers, withCertificate: true })
    attempts.push({ timeMs: book.clock.now(), taxId, url, payload, number, result })
    attempts.splice(0, attempts.length - HISTORY_LENGTH_MAX)
    const delayMs = RETRIES_MS[number - 1]
    if (isAccepted(result)) markSent(book, payload)
    if (isAccepted(result) || delayMs === undefined) return
    void wait(delayMs).then(() => {
      start(deliver(taxId, payload, number + 1))
    })
  }

  const start = (work: Promise<void>): void => {
    const tracked = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }

  const sendCopies = async (boletos: readonly Boleto[], copies: number): Promise<void> => {
    // Their current state: a change while the first copy is on its way gets its own notice.
    const notified = [...Map.groupBy(boletos, ({ receiver }) => receiver.taxId)].map(
      ([taxId, own]) => [taxId, own.map(renderNotice)] as const,
    )
    for (const [taxId, payload] of notified)
      for (let copy = 0; copy < copies; copy++) await deliver(taxId, payload)
  }

  return {
    attempts,

    announce(boleto) {
      const copies = COPIES[conditions.notices]
      const isHeard = copies > 0 && book.callbacks.has(boleto.receiver.taxId)
      if (isHeard) start(sendCopies([boleto], copies))
      else markSent(book, [renderNotice(boleto)])
    },

    sendUnsent(taxId) {
      const own = [...book.boletos.values()].filter(({ receiver }) => receiver.taxId === taxId)
      for (const boleto of own) if (!boleto.isTold) start(sendCopies([boleto], 1))
    },

    send(boletos) {
      start(sendCopies(boletos, 1))
    },

    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** A later change of a boleto gets its own notice. */
function markSent(book: InterBook, payload: readonly Notice[]): void {
  for (const { codigoSolicitacao, situacao } of payload) {
    const boleto = book.boletos.get(codigoSolicitacao)
    if (boleto?.situation !== situacao || boleto.isTold) continue
    boleto.isTold = true
    book.save({ boleto })
  }
}

interface Registration {
  /** The number of the receiver's account. */
  readonly number: string
  readonly body: unknown
}

export function registerCallback(
  book: InterBook,
  account: BankAccount,
  { number, body }: Registration,
): void {
  const { webhookUrl: url } = readWebhook(body)
  const changedMs = book.clock.now()
  const createdMs = book.callbacks.get(account.taxId)?.createdMs ?? changedMs
  const receiver = receiverOf(account)
  book.save({ callback: { receiver, number, url, createdMs, changedMs } })
}

/** @throws InterProblem */
export function findCallback(book: InterBook, { taxId }: BankAccount): Callback {
  const callback = book.callbacks.get(taxId)
  if (callback === undefined) throw new InterProblem(404, 'Nenhum webhook cadastrado.')
  return callback
}

export function renderCallback({ url, createdMs, changedMs }: Callback) {
  return { webhookUrl: url, criacao: isoTime(createdMs), atualizacao: isoTime(changedMs) }
}

/** A page of the notices sent to a receiver, the latest first. */
export function renderHistory(
  { attempts }: Callbacks,
  { taxId }: BankAccount,
  query: HistoryQuery,
) {
  const { dataHoraInicio, dataHoraFim, codigoSolicitacao: code, pagina, tamanhoPagina } = query
  const found = attempts.filter(
    (attempt) =>
      attempt.taxId === taxId &&
      attempt.timeMs >= dataHoraInicio &&
      attempt.timeMs <= dataHoraFim &&
      (code === undefined ||
        attempt.payload.some((notified) => notified.codigoSolicitacao === code)),
  )
  const first = pagina * tamanhoPagina
  return {
    ...pageOf({ page: pagina, size: tamanhoPagina, total: found.length }),
    data: found
      .toReversed()
      .slice(first, first + tamanhoPagina)
      .map(renderAttempt),
  }
}

function renderAttempt({ url, payload, number, timeMs, result }: CallbackAttempt) {
  const failure = 'status' in result ? `HTTP ${result.status}` : result.failure
  return {
    webhookUrl: url,
    payload,
    numeroTentativa: number,
    dataHoraDisparo: isoTime(timeMs),
    sucesso: isAccepted(result),
    ...('status' in result && { httpStatus: result.status }),
    ...(!isAccepted(result) && { mensagemErro: failure }),
  }
}

function isAccepted(result: PostResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300
}

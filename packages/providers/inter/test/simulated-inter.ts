// Inter for tests: its clock only moves on request, and every request, answer and notice of its
// boletos is compared with the table of facts.
import path from 'node:path'
import { expect } from 'vitest'
import {
  violationsOfAnswer,
  violationsOfNotice,
  violationsOfRequest,
} from '../../../../test/judges/inter.js'
import * as pixApi from '../../../../test/judges/pix-api.js'
import type { ClientCredentials } from '@cofre/provider-kit/simulator'
import { type InterOptions, startInter } from '../src/simulator/start-inter.js'
import { dayAfter, brasiliaDate } from '../src/simulator/calendar.js'
import { type Answer, exchange, openReceiver } from '../../pix-api/test/simulated-bank.js'
import {
  SHARED_FOLDER,
  createRepeatableBytes,
  createTestClock,
  forgetBooks,
} from '../../../provider-kit/test/simulator-parts.js'

export const ACCOUNT = {
  label: 'loja',
  taxId: '12345678000195',
  name: 'Loja São José',
  city: 'São Paulo',
  number: '13525622',
  pixKeys: ['loja@cofre.example'],
} as const

export const PAYER = {
  cpfCnpj: '52998224725',
  tipoPessoa: 'FISICA',
  nome: 'Ana (Maria) Gonçalves',
  endereco: 'Rua da Bahia',
  numero: '1000',
  cidade: 'Belo Horizonte',
  uf: 'MG',
  cep: '30160011',
} as const

interface BoletoAnswer {
  readonly cobranca: Readonly<Record<string, unknown>>
  readonly boleto?: Readonly<Record<'nossoNumero' | 'codigoBarras' | 'linhaDigitavel', string>>
  readonly pix?: Readonly<Record<'txid' | 'pixCopiaECola', string>>
}

interface CallOptions {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** For requests that are wrong on purpose: their answers are judged nevertheless. */
  readonly isWrong?: true
}

/** Tests advance days with one token. */
const TOKEN_LIFETIME_S = 30 * 86_400
const LIMITS = { tokens: 1000, webhooks: 1000, history: 1000, calls: 1000 }

interface TestOptions extends Partial<InterOptions> {
  /** Continues with another bank's books in its folder. */
  readonly keepsBooks?: boolean
}

export async function openTestInter({ keepsBooks = false, ...options }: TestOptions = {}) {
  const clock = createTestClock()
  const folder = path.join(SHARED_FOLDER, 'inter')
  if (!keepsBooks) await forgetBooks(folder)
  const deps = { folder, clock, randomBytes: createRepeatableBytes('inter'), limits: LIMITS }
  const waits: { readonly ms: number; readonly end: () => void }[] = []
  const wait = (ms: number) => new Promise<void>((end) => waits.push({ ms, end }))
  const tokenLifetimeS = TOKEN_LIFETIME_S
  const running = await startInter({ ...deps, wait, tokenLifetimeS, ...options })
  const credentials = await running.openAccount(ACCOUNT)
  const caller = createInterCaller(running, credentials)
  const today = () => brasiliaDate(clock.now())
  /** An order that is valid on any day, at any hour. */
  const order = (seuNumero: string, changes: object = {}) => {
    const dataVencimento = dayAfter(today(), 3)
    const terms = { valorNominal: 129.9, dataVencimento, numDiasAgenda: 8, pagador: PAYER }
    return { seuNumero, ...terms, ...changes }
  }
  const take = async (seuNumero: string, changes: object = {}): Promise<string> => {
    const answer = await caller.call('POST', '/cobrancas', order(seuNumero, changes))
    return (answer.json as { codigoSolicitacao: string }).codigoSolicitacao
  }
  const read = async (code: string): Promise<BoletoAnswer> => {
    const { json } = await caller.call('GET', `/cobrancas/${code}`)
    return json as BoletoAnswer
  }
  return {
    ...running,
    ...caller,
    clock,
    credentials,
    /** Pauses with their durations: a test ends them. */
    waits,
    today,
    order,
    take,
    read,
    close: () => running.stop(),
  }
}

export type TestInter = Awaited<ReturnType<typeof openTestInter>>

type Running = Awaited<ReturnType<typeof startInter>>

/** Calls Inter as a client's system. */
function createInterCaller(running: Running, credentials: ClientCredentials) {
  const send = (method: string, at: string, headers: Record<string, string>, text?: string) =>
    exchange(
      {
        host: '127.0.0.1',
        port: running.apiPort,
        ca: running.authority,
        cert: credentials.certificate,
        key: credentials.privateKey.reveal(),
        agent: false,
        method,
        path: at,
        headers,
      },
      text,
    )
  const askToken = (scope = 'boleto-cobranca.read boleto-cobranca.write pix.read pix.write') => {
    const { clientId, clientSecret } = credentials
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret?.reveal() ?? '',
      scope,
    })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return send('POST', '/oauth/v2/token', headers, form.toString())
  }
  let kept: Promise<string> | undefined
  const authorized = async (
    { token, headers }: CallOptions,
    body: unknown,
  ): Promise<Record<string, string>> => ({
    Authorization: `Bearer ${token ?? (await (kept ??= askToken().then(({ body }) => body.access_token)))}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  })
  const textOf = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body))

  const call = async (
    method: string,
    at: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer> => {
    const request = { method, path: at, body }
    if (options.isWrong !== true) expect(violationsOfRequest(request)).toEqual([])
    const headers = await authorized(options, body)
    const answer = await send(method, `/cobranca/v3${at}`, headers, textOf(body))
    const judged = { status: answer.status, body: answer.json }
    // The facts don't cover the platform's refusals, which come before the collections.
    if (![401, 429].includes(answer.status)) expect(violationsOfAnswer(request, judged)).toEqual([])
    return answer
  }
  /** Calls below `/pix/v2`, checked by the central bank's document. */
  const pix = async (method: string, at: string, body?: unknown): Promise<Answer> => {
    const headers = await authorized({}, body)
    const answer = await send(method, `/pix/v2${at}`, headers, textOf(body))
    const request = { method, path: at.replace(/&txId=\w+/, ''), body }
    expect(pixApi.violationsOfRequest(request)).toEqual([])
    const contentType = String(answer.headers['content-type'] ?? '') || null
    const { status, json } = answer
    expect(pixApi.violationsOfAnswer(request, { status, contentType, body: json })).toEqual([])
    return answer
  }
  return { askToken, call, pix }
}

/** A receiver of notices, with their items in order of arrival. */
export async function openInterReceiver(inter: TestInter, answers = 200) {
  const receiver = await openReceiver(inter, { certificates: 'demanded', answers })
  await inter.call('PUT', '/cobrancas/webhook', { webhookUrl: receiver.url })
  return {
    ...receiver,
    async items() {
      await inter.inter.callbacks.settled()
      const bodies = receiver.received.map(({ body }) => body as unknown)
      const items = bodies.flat() as Readonly<Record<string, unknown>>[]
      for (const item of items) expect(violationsOfNotice(item)).toEqual([])
      return items
    },
  }
}

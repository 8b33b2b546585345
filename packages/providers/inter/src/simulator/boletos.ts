import { MINUTE_MS } from '@cofre/contracts'
import { type BankAccount, isOf, receiverOf } from '@cofre/pix-api/simulator-parts'
import { barcodeOf, lineOf, ourNumberOf } from './boleto-codes.js'
import type { Boleto, InterBook } from './book.js'
import { dayAfter, brasiliaDate, firstDueDay } from './calendar.js'
import { InterProblem } from './problem.js'
import { type BoletoTerms, type Situation, readCancellation, readTerms } from './wire.js'

/** Only this simulated bank knows it, so it is not served. */
const LOCATION_HOST = 'inter.invalid/qr/v2/cobv'
const CODE_BYTES = 16
const REPEAT_WINDOW_MS = 30 * MINUTE_MS

export interface BoletoDeps {
  readonly book: InterBook
  /** Notifies the receiver of a boleto's new situation. */
  readonly announce: (boleto: Boleto) => void
}

interface Requested {
  readonly body: unknown
  /** Undefined if a person issues it. */
  readonly delayMs: number | undefined
}

/**
 * Accepts a boleto, which is issued later.
 * @throws InterProblem
 */
export function requestBoleto(
  book: InterBook,
  account: BankAccount,
  { body, delayMs }: Requested,
): Boleto {
  const terms = readTerms(body)
  const nowMs = book.clock.now()
  if (terms.dataVencimento < firstDueDay(nowMs))
    throw new InterProblem(400, 'A requisição não respeita o contrato da API.', [
      { razao: 'é anterior ao primeiro vencimento possível', propriedade: 'dataVencimento' },
    ])
  refuseRepeat(book, account, terms)
  const boleto: Boleto = {
    receiver: receiverOf(account),
    code: uuidOf(book.randomBytes(CODE_BYTES)),
    terms,
    requestedMs: nowMs,
    pixKey: terms.formasRecebimento.includes('PIX') ? account.pixKeys[0] : undefined,
    issueAtMs: delayMs === undefined ? undefined : nowMs + delayMs,
    situation: 'EM_PROCESSAMENTO',
    changedMs: nowMs,
    isTold: true,
  }
  book.save({ boleto })
  return boleto
}

/** @throws InterProblem if this receiver has no such boleto */
export function findBoleto(book: InterBook, account: BankAccount, code: string): Boleto {
  const boleto = book.boletos.get(code)
  if (boleto === undefined || !isOf(boleto, account))
    throw new InterProblem(404, 'Não há cobrança com este código de solicitação.')
  return boleto
}

/** Applies time to a boleto: it is issued, becomes overdue, and at last expires. */
export function letTimePass(deps: BoletoDeps, boleto: Boleto): void {
  const { situation, issueAtMs, terms } = boleto
  const nowMs = deps.book.clock.now()
  if (situation === 'EM_PROCESSAMENTO' && issueAtMs !== undefined && issueAtMs <= nowMs)
    issue(deps, boleto)
  if (!isOpen(boleto)) return
  const today = brasiliaDate(nowMs)
  if (today > dayAfter(terms.dataVencimento, terms.numDiasAgenda))
    changeSituation(deps, boleto, 'EXPIRADO')
  else if (today > terms.dataVencimento && boleto.situation === 'A_RECEBER') {
    // The bank sends no notice: the boleto can still be paid.
    Object.assign(boleto, { situation: 'ATRASADO', changedMs: nowMs, isTold: true })
    deps.book.save({ boleto })
  }
}

/** Gives a boleto in process its payment codes. */
export function issue(deps: BoletoDeps, boleto: Boleto): void {
  const { boletos, randomBytes } = deps.book
  const { terms, pixKey } = boleto
  const sequence = 1 + [...boletos.values()].filter(({ codes }) => codes !== undefined).length
  const ourNumber = ourNumberOf(sequence)
  const barcode = barcodeOf({
    dueDate: terms.dataVencimento,
    amountMinor: terms.valorNominal,
    ourNumber,
  })
  const txid = Buffer.from(randomBytes(CODE_BYTES)).toString('hex')
  boleto.codes = {
    ourNumber,
    barcode,
    line: lineOf(barcode),
    pix: pixKey !== undefined ? { txid, location: `${LOCATION_HOST}/${txid}` } : undefined,
  }
  changeSituation(deps, boleto, 'A_RECEBER')
}

/** @throws InterProblem for a boleto that is not open */
export function cancelBoleto(deps: BoletoDeps, boleto: Boleto, body: unknown): void {
  const { motivoCancelamento } = readCancellation(body)
  if (!isOpen(boleto))
    throw new InterProblem(400, `A cobrança não pode ser cancelada: ${boleto.situation}.`)
  boleto.cancelReason = motivoCancelamento
  changeSituation(deps, boleto, 'CANCELADO')
}

/** True if it can be paid. */
export function isOpen({ situation }: Boleto): boolean {
  return situation === 'A_RECEBER' || situation === 'ATRASADO'
}

export function changeSituation(
  { book, announce }: BoletoDeps,
  boleto: Boleto,
  situation: Situation,
): void {
  Object.assign(boleto, { situation, changedMs: book.clock.now(), isTold: false })
  book.save({ boleto })
  announce(boleto)
}

/** For half an hour, the bank treats an equal order as a repetition, and names the first. */
function refuseRepeat(book: InterBook, account: BankAccount, terms: BoletoTerms): void {
  const sinceMs = book.clock.now() - REPEAT_WINDOW_MS
  const key = keyOf(terms)
  for (const boleto of book.boletos.values())
    if (isOf(boleto, account) && boleto.requestedMs > sinceMs && keyOf(boleto.terms) === key)
      throw new InterProblem(
        400,
        `Já existe uma cobrança com estes dados. codigoSolicitacao: ${boleto.code}`,
      )
}

function keyOf({ seuNumero, valorNominal, dataVencimento, pagador }: BoletoTerms): string {
  return [seuNumero, valorNominal, dataVencimento, pagador.cpfCnpj].join('/')
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

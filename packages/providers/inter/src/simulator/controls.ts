// Actions of people on the bank's page and of tests: boletos are paid, issued and ended.
import type { MinorUnits } from '@cofre/contracts'
import { newPayment } from '@cofre/pix-api/simulator-parts'
import { type BoletoDeps, changeSituation, isOpen, issue, letTimePass } from './boletos.js'
import type { Boleto, InterBook, Received } from './book.js'

interface BoletoPayment {
  readonly way: 'line' | 'pix'
  /** Default: the boleto's own amount. */
  readonly amountMinor?: MinorUnits | undefined
}

/** Each throws a RangeError if it is refused: the caller is a person's page or a test. */
export interface InterControls {
  /** The boleto's current state. */
  boletoOf(code: string): Boleto
  /** The boleto with this line, barcode or Pix code. */
  boletoOfPrint(print: string): Boleto
  issue(code: string): void
  failIssue(code: string): void
  /**
   * Pays a boleto: in time, overdue, or so shortly before its end that the bank notices only when
   * it is cancelled or expired. Nothing is paid twice.
   */
  pay(code: string, payment: BoletoPayment): void
  /** Marks it on the bank's site as paid in another way. */
  markReceived(code: string): void
  expire(code: string): void
  cancel(code: string): void
  /** Sends one notice with these boletos in order, whatever the conditions. */
  notify(codes: readonly string[]): void
}

interface ControlsDeps extends BoletoDeps {
  readonly send: (boletos: readonly Boleto[]) => void
}

export function createInterControls(deps: ControlsDeps): InterControls {
  const { book, send } = deps
  const boletoOf = (code: string): Boleto => {
    const boleto = book.boletos.get(code)
    if (boleto === undefined) throw new RangeError(`no boleto has the code ${code}`)
    letTimePass(deps, boleto)
    return boleto
  }
  const openOne = (code: string): Boleto => {
    const boleto = boletoOf(code)
    if (!isOpen(boleto)) throw new RangeError(`boleto ${code} is not open`)
    return boleto
  }
  const waitingOne = (code: string): Boleto => {
    const boleto = boletoOf(code)
    if (boleto.situation !== 'EM_PROCESSAMENTO')
      throw new RangeError(`boleto ${code} is not being processed`)
    return boleto
  }
  return {
    boletoOf,
    boletoOfPrint(print) {
      const found = findPrinted(book, print)
      if (found === undefined) throw new RangeError('no boleto was printed so')
      return boletoOf(found.code)
    },
    issue(code) {
      issue(deps, waitingOne(code))
    },
    failIssue(code) {
      changeSituation(deps, waitingOne(code), 'FALHA_EMISSAO')
    },
    pay(code, payment) {
      payBoleto(deps, boletoOf(code), payment)
    },
    markReceived(code) {
      const boleto = openOne(code)
      boleto.received = { amountMinor: boleto.terms.valorNominal }
      changeSituation(deps, boleto, 'MARCADO_RECEBIDO')
    },
    expire(code) {
      changeSituation(deps, openOne(code), 'EXPIRADO')
    },
    cancel(code) {
      const boleto = openOne(code)
      boleto.cancelReason = 'Cancelada pelo banco'
      changeSituation(deps, boleto, 'CANCELADO')
    },
    notify(codes) {
      send(codes.map(boletoOf))
    },
  }
}

/** True if it is unpaid and has payment codes. */
export function isPayable({ codes, received }: Boleto): boolean {
  return codes !== undefined && received === undefined
}

function payBoleto({ book, announce }: BoletoDeps, boleto: Boleto, payment: BoletoPayment): void {
  if (!isPayable(boleto)) throw new RangeError(`boleto ${boleto.code} cannot be paid`)
  const amountMinor = payment.amountMinor ?? boleto.terms.valorNominal
  const pix = payment.way === 'pix' ? newPixPayment(book, boleto, amountMinor) : undefined
  const received: Received = {
    amountMinor,
    origin: pix === undefined ? 'BOLETO' : 'PIX',
    endToEndId: pix?.endToEndId,
  }
  const changedMs = book.clock.now()
  Object.assign(boleto, { received, situation: 'RECEBIDO', changedMs, isTold: false })
  book.save({ boleto, payment: pix })
  announce(boleto)
}

function newPixPayment(book: InterBook, boleto: Boleto, amountMinor: MinorUnits) {
  const { receiver, codes, pixKey } = boleto
  if (codes?.pix === undefined || pixKey === undefined)
    throw new RangeError('the boleto has no Pix code')
  return newPayment(book, { receiver, pixKey, txid: codes.pix.txid, amountMinor })
}

/** As copied from a page or a PDF: with or without punctuation. */
function findPrinted({ boletos }: InterBook, print: string): Boleto | undefined {
  const digits = print.replaceAll(/\D/g, '')
  for (const boleto of boletos.values()) {
    const { codes } = boleto
    if (codes === undefined) continue
    const isPixCode = codes.pix !== undefined && print.includes(codes.pix.location)
    if (isPixCode || digits === codes.line || digits === codes.barcode) return boleto
  }
  return undefined
}

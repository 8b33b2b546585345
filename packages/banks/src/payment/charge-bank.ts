import type { Answer } from '@cofre/contracts'
import {
  bareNumber,
  type BankBoleto,
  type BoletoBank,
  type BoletoName,
  type ChargePayer,
  type BoletoReference,
  payerCode,
  type PixBank,
  type PixBankCharge,
  type PixTxid,
} from '@cofre/provider-kit/bank'
import { checkCodes } from '../model/checked-codes.js'
import { type Transaction, payableDays } from '@cofre/gateway/method'
import type { ChargeReference, FoundPayment, IssuedBoleto } from '../model/bank-charge.js'

/** The request to open or issue a charge. */
export interface ChargeOrder
  extends ChargeReference, Pick<Transaction, 'amountMinor' | 'description'> {
  readonly lifetimeSeconds: number
  readonly payer: ChargePayer
}

/** The payer's codes, or why no payer may see them. */
type ShownCodes =
  | ({ readonly kind: 'held' } & Pick<IssuedBoleto, 'codes'>)
  | { readonly kind: 'contradiction'; readonly detail: string }

/** A charge as its bank has it, of either method. */
export interface ChargeReading extends Pick<PixBankCharge, 'amountMinor' | 'expiresAtMs'> {
  readonly state: BankBoleto['state']
  readonly payments: readonly FoundPayment[]
  /** Undefined until the charge is issued, and if issuing failed. */
  readonly codes: ShownCodes | undefined
  readonly bankId: string | undefined
  readonly ourNumber: string | undefined
  /** Why issuing failed. */
  readonly reason: string | undefined
}

export type ChargeAnswer = Answer<ChargeReading>

/** Charges of one method at the bank of one account. */
export interface ChargeBank extends Pick<PixBank, 'refund' | 'findRefund'> {
  /** A PIX may be opened again under its name; a boleto only after a search for it. */
  open(order: ChargeOrder): Promise<ChargeAnswer>
  find(
    charge: ChargeReference,
    urgency: Parameters<PixBank['findCharge']>[1],
  ): Promise<ChargeAnswer>
  /** Returns the charge as it is afterwards: paid, if the payer was faster. */
  remove(charge: ChargeReference): Promise<ChargeAnswer>
}

export function chargesOfPix(bank: PixBank): ChargeBank {
  const read = (charge: PixBankCharge): ChargeReading => {
    const shown = payerCode(charge, bank.receiver)
    const codes: ShownCodes =
      shown.kind === 'contradiction' ? shown : { kind: 'held', codes: pixCodes(shown.code) }
    const { state, amountMinor, expiresAtMs, payments } = charge
    return { ...NO_BOLETO, state, amountMinor, expiresAtMs, payments, codes }
  }
  return {
    open: async (order) => {
      const { amountMinor, description, lifetimeSeconds, payer } = order
      const { name: payerName, document: payerDocument } = payer
      const asked = { amountMinor, description, lifetimeSeconds, payerName, payerDocument }
      return readBy(read, await bank.openCharge({ ...asked, txid: txidOf(order) }))
    },
    find: async (charge, urgency) => readBy(read, await bank.findCharge(txidOf(charge), urgency)),
    remove: async (charge) => readBy(read, await bank.removeCharge(txidOf(charge))),
    refund: (order) => bank.refund(order),
    findRefund: (refund) => bank.findRefund(refund),
  }
}

const NO_BOLETO = { bankId: undefined, ourNumber: undefined, reason: undefined } as const

function pixCodes(pixCode: string): IssuedBoleto['codes'] {
  return { barcode: undefined, digitableLine: undefined, pixCode }
}

/** The charge's method determines the kind of name. */
function txidOf({ name }: Pick<ChargeReference, 'name'>): PixTxid {
  return name as PixTxid
}

export function chargesOfBoletos(bank: BoletoBank): ChargeBank {
  const read =
    ({ dueDate }: BoletoReference) =>
    (boleto: BankBoleto): ChargeReading => {
      const { state, amountMinor, payments, bankId, reason, dueDate: bankDueDate } = boleto
      const asked = { amountMinor, dueDate, bankDueDate, receiver: bank.receiver }
      const codes = boleto.codes && checkCodes(boleto.codes, asked)
      const ourNumber = bareNumber(boleto.codes?.ourNumber)
      const expiresAtMs = undefined
      return { state, amountMinor, payments, bankId, reason, codes, ourNumber, expiresAtMs }
    }
  return {
    open: async (order) => {
      const boleto = referenceOf(order)
      const { amountMinor, description, payer } = order
      const { email, address } = payer
      if (email === undefined || address === undefined)
        return { kind: 'refused', detail: 'a boleto has a payer with an address' }
      const asked = { ...boleto, amountMinor, description, payer: { ...payer, email, address } }
      const days = payableDays(boleto.dueDate)
      return readBy(read(boleto), await bank.issue({ ...asked, payableDays: days }))
    },
    find: async (charge, urgency) => {
      const boleto = referenceOf(charge)
      return readBy(read(boleto), await bank.find(boleto, urgency))
    },
    remove: async (charge) => {
      const boleto = referenceOf(charge)
      return readBy(read(boleto), await bank.cancel(boleto))
    },
    refund: (order) => bank.refund(order),
    findRefund: (refund) => bank.findRefund(refund),
  }
}

/** The charge's method determines the kind of name. */
export function referenceOf({ name, bankId, dueDate }: ChargeReference): BoletoReference {
  if (dueDate === undefined) throw new Error('a boleto has a due date')
  return { name: name as BoletoName, bankId, dueDate }
}

function readBy<T>(read: (value: T) => ChargeReading, answer: Answer<T>): ChargeAnswer {
  return answer.kind === 'done' ? { ...answer, value: read(answer.value) } : answer
}

/** Why no payer may see a charge. */
export function objectionTo(
  found: ChargeReading,
  { amountMinor }: Pick<Transaction, 'amountMinor'>,
): string | undefined {
  if (found.state === 'removed') return 'it was removed'
  if (found.state === 'failed') return failureOf(found)
  if (found.amountMinor !== amountMinor) return 'it has another amount'
  return found.codes?.kind === 'contradiction' ? found.codes.detail : undefined
}

export function failureOf({ reason }: ChargeReading): string {
  return `the bank did not issue it: ${reason ?? 'it does not say why'}`
}

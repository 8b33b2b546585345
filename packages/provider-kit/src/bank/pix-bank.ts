import {
  type Answer,
  type Brand,
  type MedNature,
  type MinorUnits,
  drawText,
} from '@cofre/contracts'

/** Our name of a charge at its bank, unique for ever. */
export type PixTxid = Brand<string, 'PixTxid'>

const TXID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const TXID_LENGTH = 32

/**
 * 160 random bits: never our own code, since a txid is unique for ever and a restored database is
 * not.
 */
export function drawTxid(randomBelow: (limit: number) => number): PixTxid {
  return drawText(TXID_ALPHABET, TXID_LENGTH, randomBelow) as PixTxid
}

/** A charge that a bank is asked to open. */
export interface PixChargeOrder {
  readonly txid: PixTxid
  readonly amountMinor: MinorUnits
  readonly lifetimeSeconds: number
  readonly payerName: string
  /** CPF or CNPJ, without punctuation. */
  readonly payerDocument: string
  /** What the payer reads; the bank may cut it. */
  readonly description: string
}

/** Money on its way back to a payer. */
export interface PixBankRefund {
  /** Ours, or the bank's where it began the refund. */
  readonly id: string
  readonly amountMinor: MinorUnits
  /** `in-process` also for a state that is not known. */
  readonly state: 'in-process' | 'returned' | 'not-done'
  /** Why it is not done: the bank's word, as one redacted line. */
  readonly reason?: string | undefined
  /** Where the bank gave it back by itself. */
  readonly nature?: MedNature | undefined
}

/** Money that arrived. */
export interface PixBankPayment {
  readonly endToEndId: string
  /** Our name of its charge or boleto; absent for money that belongs to no charge. */
  readonly txid?: string | undefined
  /** What was paid, which may differ from what was charged. */
  readonly amountMinor: MinorUnits
  /**
   * What of the charged amount it settles by the bank's own reckoning, where that differs from what
   * was paid: a fine and interest came with it, or a discount was taken off.
   */
  readonly settlesMinor?: MinorUnits | undefined
  readonly paidAtMs?: number | undefined
  readonly refunds: readonly PixBankRefund[]
}

/** A charge as the bank has it. */
export interface PixBankCharge {
  /** Its end is no state: see `expiresAtMs`. */
  readonly state: 'open' | 'paid' | 'removed' | 'not-known'
  readonly amountMinor: MinorUnits
  /** Address of the charge, without scheme. */
  readonly location?: string | undefined
  /** The bank's own copy-and-paste code, unchecked. */
  readonly code?: string | undefined
  readonly expiresAtMs?: number | undefined
  readonly payments: readonly PixBankPayment[]
}

/** When payments were made that a bank lists. */
export interface PixPaymentPeriod {
  readonly fromMs: number
  readonly toMs: number
  /** Nobody waits for what is found in it: the list leaves room for all other calls. */
  readonly isOld?: boolean
}

/** One page of what was paid in a period, charges of other systems included. */
export interface PixPaymentPage {
  readonly payments: readonly PixBankPayment[]
  readonly nextPage?: number | undefined
}

export interface PixRefundName {
  readonly endToEndId: string
  /** Letters and digits, at most 35. */
  readonly refundId: string
}

export interface PixRefundOrder extends PixRefundName {
  readonly amountMinor: MinorUnits
}

/** Who is paid, as a code has it. */
export interface PixReceiver {
  readonly name: string
  readonly city: string
}

/**
 * PIX at the bank of one account. Every call may be repeated under the same names: nothing is
 * charged or refunded twice. A rejected promise counts as an unknown answer.
 */
export interface PixBank {
  readonly receiver: PixReceiver
  openCharge(order: PixChargeOrder): Promise<Answer<PixBankCharge>>
  /** @param urgency - `background` leaves room in the account's budget for the others' calls. */
  findCharge(txid: PixTxid, urgency: 'payer-waits' | 'background'): Promise<Answer<PixBankCharge>>
  /** Done with the charge as it then is: paid, where the payer was faster. A background call. */
  removeCharge(txid: PixTxid): Promise<Answer<PixBankCharge>>
  /** A background call. */
  refund(order: PixRefundOrder): Promise<Answer<PixBankRefund>>
  /** A background call. */
  findRefund(refund: PixRefundName): Promise<Answer<PixBankRefund>>
  /** @param page - From 0. A background call. */
  listPayments(period: PixPaymentPeriod, page: number): Promise<Answer<PixPaymentPage>>
}

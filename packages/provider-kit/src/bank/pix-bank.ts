import {
  type Answer,
  type Brand,
  type MedNature,
  type MinorUnits,
  drawText,
} from '@cofre/contracts'

/** Our name of a charge at its bank, unique forever. */
export type PixTxid = Brand<string, 'PixTxid'>

const TXID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const TXID_LENGTH = 32

/**
 * 160 random bits. Not derived from our own codes: a txid is unique forever, but a restored
 * database draws codes again.
 */
export function drawTxid(randomBelow: (limit: number) => number): PixTxid {
  return drawText(TXID_ALPHABET, TXID_LENGTH, randomBelow) as PixTxid
}

/** A charge to open at a bank. */
export interface PixChargeOrder {
  readonly txid: PixTxid
  readonly amountMinor: MinorUnits
  readonly lifetimeSeconds: number
  readonly payerName: string
  /** CPF or CNPJ, without punctuation. */
  readonly payerDocument: string
  /** Shown to the payer; the bank may cut it. */
  readonly description: string
}

/** Money on its way back to a payer. */
export interface PixBankRefund {
  /** Our id, or the bank's if it began the refund. */
  readonly id: string
  readonly amountMinor: MinorUnits
  /** `in-process` also for an unknown state. */
  readonly state: 'in-process' | 'returned' | 'not-done'
  /** Why it was not done, in the bank's words, as one redacted line. */
  readonly reason?: string | undefined
  /** Set if the bank refunded on its own. */
  readonly nature?: MedNature | undefined
}

/** Money that arrived. */
export interface PixBankPayment {
  readonly endToEndId: string
  /** Our name of its charge or boleto; absent for money without a charge. */
  readonly txid?: string | undefined
  /** The paid amount, which may differ from the charged one. */
  readonly amountMinor: MinorUnits
  /**
   * The settled part of the charged amount, by the bank's own reckoning. Set if it differs from the
   * paid amount, because of a fine and interest, or a discount.
   */
  readonly settlesMinor?: MinorUnits | undefined
  readonly paidAtMs?: number | undefined
  readonly refunds: readonly PixBankRefund[]
}

/** A charge in the bank's records. */
export interface PixBankCharge {
  /** Expiry is not a state: see `expiresAtMs`. */
  readonly state: 'open' | 'paid' | 'removed' | 'not-known'
  readonly amountMinor: MinorUnits
  /** Address of the charge, without scheme. */
  readonly location?: string | undefined
  /** The bank's own copy-and-paste code, unchecked. */
  readonly code?: string | undefined
  readonly expiresAtMs?: number | undefined
  readonly payments: readonly PixBankPayment[]
}

/** The period of listed payments. */
export interface PixPaymentPeriod {
  readonly fromMs: number
  readonly toMs: number
  /** No payer waits for the result: the list leaves room for all other calls. */
  readonly isOld?: boolean
}

/** One page of the payments in a period, including charges of other systems. */
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

/** The payee, as in a code. */
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
  /** Done with the charge's current state: paid, if the payer was faster. A background call. */
  removeCharge(txid: PixTxid): Promise<Answer<PixBankCharge>>
  /** A background call. */
  refund(order: PixRefundOrder): Promise<Answer<PixBankRefund>>
  /** A background call. */
  findRefund(refund: PixRefundName): Promise<Answer<PixBankRefund>>
  /** @param page - From 0. A background call. */
  listPayments(period: PixPaymentPeriod, page: number): Promise<Answer<PixPaymentPage>>
}

// What is kept of charges at banks, and shown: their rows stand beside those of payments, and other
// packages read them.
import type { MinorUnits } from '@cofre/contracts'
import type { BoletoName, BoletoPayment, PixBankRefund, PixTxid } from '@cofre/provider-kit/bank'
import type { TransactionCode } from '../transaction/transaction.js'

/** How a payer pays a charge: a boleto may be paid by PIX too. */
export type ChargeMethod = 'pix' | 'boleto'

/** Our name of a charge at its bank, unique for ever. */
export type ChargeName = PixTxid | BoletoName

/**
 * A charge of a transaction: the bank is `asked` for it; `doubtful` once its request was answered
 * that nobody knows whether there is one; `live` once its payer has it; `removing` when nobody will
 * have it, and it must not stay at the bank; `closed` when nothing more is expected of it.
 */
export type BankChargeState = 'asked' | 'doubtful' | 'live' | 'removing' | 'closed'

/** A charge at the bank of an account. Times by the machine's clock. */
export interface BankCharge {
  readonly transactionCode: TransactionCode
  /** Written before its bank is asked; another only where that bank has proven to have none. */
  readonly accountId: string
  readonly method: ChargeMethod
  readonly name: ChargeName
  readonly state: BankChargeState
  readonly openedAtMs: number | undefined
  /** When nobody can pay it any more, by the bank's clock. */
  readonly bankExpiresAtMs: number | undefined
  /** Of a boleto, `YYYY-MM-DD`. */
  readonly dueDate: string | undefined
  /** The bank's own name of a boleto, once an answer has told it. */
  readonly bankId: string | undefined
  /**
   * `nosso número` of a boleto once its bank has issued it, without punctuation and leading zeros:
   * files have it in fields of other lengths.
   */
  readonly ourNumber: string | undefined
  /** When the bank was found to have issued the boleto: it may do so late. */
  readonly issuedAtMs: number | undefined
  /** Why it was given up, for the staff: one redacted line. */
  readonly reason: string | undefined
}

/** What the money of a payment is for; all but the order's is surplus. */
export type PaymentPurpose = 'order' | 'other-amount' | 'second-payment' | 'after-the-end'

/** How money came: `elsewhere`, where the merchant has said so at the bank, and none came by it. */
export type PaymentWay = BoletoPayment['way']

/** Money that arrived for a charge. */
export interface BankPayment {
  readonly endToEndId: string
  readonly amountMinor: MinorUnits
  /** By the bank's clock. */
  readonly paidAtMs: number | undefined
  readonly foundAtMs: number
  readonly way: PaymentWay
  readonly purpose: PaymentPurpose
  /**
   * Of a surplus: how far it is on its way back; `KEPT` where the store wants that, and of all that
   * has not come by PIX.
   */
  readonly refundStatus: 'PROCESSING' | 'PROCESSED' | 'REJECTED' | 'KEPT' | undefined
  readonly refundedAtMs: number | undefined
  /** All its refunds as the bank last had them, whoever asked for them. */
  readonly bankRefunds: readonly PixBankRefund[]
}

/** A charge as people see it. */
export interface BankChargeDetails extends BankCharge {
  /** What people call its account. */
  readonly accountLabel: string
  /** In the order in which they were found. */
  readonly payments: readonly BankPayment[]
}

/** What is read of an account once more, so many days after the payment. */
export type LateSweep = 'after-7-days' | 'after-30-days' | 'after-90-days'

/**
 * What of an account is read, beside single charges. Of payments by PIX: what is new; or, beside
 * it, the last days once more (`daily`), or days long ago. Of boletos: which ones the bank has sent
 * notices of.
 */
export type SweepKind = 'recent' | 'daily' | LateSweep | 'notices'

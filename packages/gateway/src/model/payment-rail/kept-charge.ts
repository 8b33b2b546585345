// The stored and shown data of charges at banks. Their rows are beside those of payments, and other
// packages read them.
import type { MinorUnits } from '@cofre/contracts'
import type { BoletoName, BoletoPayment, PixBankRefund, PixTxid } from '@cofre/provider-kit/bank'
import type { TransactionCode } from '../transaction/transaction.js'

/** How a payer pays a charge: a boleto may be paid by PIX too. */
export type ChargeMethod = 'pix' | 'boleto'

/** Our permanently unique name of a charge at its bank. */
export type ChargeName = PixTxid | BoletoName

/**
 * The state of a transaction's charge:
 * - `asked`: the bank is asked for it;
 * - `doubtful`: its request was answered, but it is unknown whether the charge exists;
 * - `live`: its payer has it;
 * - `removing`: no payer will have it, and it must not stay at the bank;
 * - `closed`: nothing more is expected of it.
 */
export type BankChargeState = 'asked' | 'doubtful' | 'live' | 'removing' | 'closed'

/** A charge at the bank of an account. Times are by the machine's clock. */
export interface BankCharge {
  readonly transactionCode: TransactionCode
  /**
   * Written before its bank is called; it changes only if that bank has proven to have no charge.
   */
  readonly accountId: string
  readonly method: ChargeMethod
  readonly name: ChargeName
  readonly state: BankChargeState
  readonly openedAtMs: number | undefined
  /** The end of its payment period, by the bank's clock. */
  readonly bankExpiresAtMs: number | undefined
  /** The due date of a boleto, `YYYY-MM-DD`. */
  readonly dueDate: string | undefined
  /** The bank's own name of a boleto, once an answer contains it. */
  readonly bankId: string | undefined
  /**
   * `nosso número` of a boleto once its bank has issued it. It has no punctuation and no leading
   * zeros, because files have it in fields of other lengths.
   */
  readonly ourNumber: string | undefined
  /** When the bank was found to have issued the boleto, which may be late. */
  readonly issuedAtMs: number | undefined
  /** Why it was abandoned, for the staff: one redacted line. */
  readonly reason: string | undefined
}

/** The purpose of a payment's money; all but the order's is surplus. */
export type PaymentPurpose = 'order' | 'other-amount' | 'second-payment' | 'after-the-end'

/**
 * How money came: `elsewhere` if the merchant marked the boleto as paid at the bank, without money.
 */
export type PaymentChannel = BoletoPayment['way']

/** Money that arrived for a charge. */
export interface BankPayment {
  readonly endToEndId: string
  readonly amountMinor: MinorUnits
  /** By the bank's clock. */
  readonly paidAtMs: number | undefined
  readonly foundAtMs: number
  readonly way: PaymentChannel
  readonly purpose: PaymentPurpose
  /**
   * The return of a surplus; `KEPT` if the store keeps it, and for all that has not come by PIX.
   */
  readonly refundStatus: 'PROCESSING' | 'PROCESSED' | 'REJECTED' | 'KEPT' | undefined
  readonly refundedAtMs: number | undefined
  /** All its refunds in the bank's last report, whether the gateway requested them or not. */
  readonly bankRefunds: readonly PixBankRefund[]
}

/** A charge as people see it. */
export interface BankChargeDetails extends BankCharge {
  /** The label of its account. */
  readonly accountLabel: string
  /** In the order in which they were found. */
  readonly payments: readonly BankPayment[]
}

/** A repeated reading of an account, the named number of days after the payment. */
export type LateSweep = 'after-7-days' | 'after-30-days' | 'after-90-days'

/**
 * The lists that are read of an account, beside single charges. For payments by PIX: new ones; or
 * also the last days again (`daily`), or days long ago. For boletos: those of which the bank has
 * sent notices.
 */
export type SweepKind = 'recent' | 'daily' | LateSweep | 'notices'

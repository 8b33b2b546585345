import type { BankCharge, BankPayment, SweepKind } from '../../model/payment-rail/kept-charge.js'
import { type RowOf, type StoredFields, conversion } from './stored-fields.js'

const CHARGE = {
  transactionCode: ['transaction_code', 'plain'],
  accountId: ['account_id', 'plain'],
  method: ['method', 'plain'],
  name: ['txid', 'plain'],
  state: ['state', 'plain'],
  openedAtMs: ['opened_at', 'optional'],
  bankExpiresAtMs: ['bank_expires_at', 'optional'],
  dueDate: ['due_date', 'optional'],
  bankId: ['bank_id', 'optional'],
  ourNumber: ['our_number', 'optional'],
  issuedAtMs: ['issued_at', 'optional'],
  reason: ['reason', 'optional'],
} as const satisfies StoredFields<BankCharge>

export const storedCharge = conversion<BankCharge, typeof CHARGE>(CHARGE)

/** The charge of a transaction at its bank. Times by the machine's clock. */
export interface BankChargeRow extends RowOf<BankCharge, typeof CHARGE> {
  /** When its bank was last asked for it; null of a PIX from before there were boletos. */
  asked_at: number | null
  /** When a worker reads it at the bank; null when no look is planned. */
  next_look_at: number | null
  looks: number
  /** The last look: the next one keeps its distance. */
  looked_at: number | null
  /** Until when a worker looks. */
  lease_until: number | null
  /** When the first look began that the bank has not answered; null after one that it has. */
  unanswered_since: number | null
  /** From then on nobody asks the bank to open it. */
  removing_since: number | null
}

/** Which charge a name names, for ever. */
export interface ChargeNameRow {
  txid: string
  transaction_code: number
  account_id: string
}

const PAYMENT = {
  endToEndId: ['end_to_end_id', 'plain'],
  amountMinor: ['amount', 'amount'],
  paidAtMs: ['paid_at', 'optional'],
  foundAtMs: ['found_at', 'plain'],
  way: ['way', 'plain'],
  purpose: ['purpose', 'plain'],
  refundStatus: ['refund_status', 'optional'],
  refundedAtMs: ['refunded_at', 'optional'],
  bankRefunds: ['bank_refunds', 'json'],
} as const satisfies StoredFields<BankPayment>

export const storedPayment = conversion<BankPayment, typeof PAYMENT>(PAYMENT)

/** Money that arrived for a charge. */
export interface BankPaymentRow extends RowOf<BankPayment, typeof PAYMENT> {
  transaction_code: number
  /** Where it arrived. */
  account_id: string
  /** When a worker asks for the refund of a surplus; null when there is nothing to ask. */
  next_ask_at: number | null
  /** As of a refund. */
  asks: number
  in_process: number
}

/**
 * How far the payments of an account have been read, or its bank's notices, in lists of each kind.
 * Times by the machine's clock.
 */
export interface BankSweepRow {
  account_id: string
  kind: SweepKind
  /** Every payment until then was read. */
  swept_until: number
  /**
   * When the next list is read: a recent one or notices if a charge of theirs is live or the last
   * was not read to its end, a daily one whatever is live.
   */
  next_sweep_at: number
  /** Where a list that was read in part goes on; null when the next is a new one. */
  next_page: number | null
  /** Its period. */
  from_at: number | null
  to_at: number | null
  /** Until when a worker reads. */
  lease_until: number | null
  /** When the first reading began that the bank has not answered; null after an answer. */
  unanswered_since: number | null
}

/**
 * Named from when there was PIX alone: operators' own queries go by these names, and nothing works
 * better with others.
 */
export interface BankTables {
  bank_charges: BankChargeRow
  charge_names: ChargeNameRow
  bank_payments: BankPaymentRow
  bank_sweeps: BankSweepRow
}

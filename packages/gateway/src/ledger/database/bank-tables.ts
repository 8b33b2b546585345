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

/** The charge of a transaction at its bank. Times are by the machine's clock. */
export interface BankChargeRow extends RowOf<BankCharge, typeof CHARGE> {
  /** When its bank was last asked for it; null for a PIX from before boletos existed. */
  asked_at: number | null
  /** When a worker polls the bank for it; null if no poll is planned. */
  next_look_at: number | null
  looks: number
  /** The last poll; the next one keeps its distance. */
  looked_at: number | null
  /** The end of a worker's lease. */
  lease_until: number | null
  /** The start of the first poll that the bank has not answered; null after an answer. */
  unanswered_since: number | null
  /** From then on, no worker asks the bank to open it. */
  removing_since: number | null
}

/** The charge that a name identifies, permanently. */
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
  /** The account that received it. */
  account_id: string
  /** When a worker requests the refund of a surplus; null if there is nothing to request. */
  next_ask_at: number | null
  /** As for a refund: see `RefundRow`. */
  asks: number
  in_process: number
}

/**
 * How far an account's payments, or its bank's notices, have been read, in lists of each kind.
 * Times are by the machine's clock.
 */
export interface BankSweepRow {
  account_id: string
  kind: SweepKind
  /** All payments until then have been read. */
  swept_until: number
  /**
   * When the next list is read. A daily list is always read. A recent list, or notices, are read if
   * one of their charges is live or the last list was not read to its end.
   */
  next_sweep_at: number
  /** Continuation of a list that was read in part; null if the next list is a new one. */
  next_page: number | null
  /** The list's period. */
  from_at: number | null
  to_at: number | null
  /** The end of a worker's lease. */
  lease_until: number | null
  /** The start of the first reading that the bank has not answered; null after an answer. */
  unanswered_since: number | null
}

/**
 * The names date from when PIX was the only method. They stay, because operators' own queries use
 * them.
 */
export interface BankTables {
  bank_charges: BankChargeRow
  charge_names: ChargeNameRow
  bank_payments: BankPaymentRow
  bank_sweeps: BankSweepRow
}

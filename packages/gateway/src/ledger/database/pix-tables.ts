import type { PixCharge, PixPayment, PixSweep } from '../../model/payment-rail/pix-charge.js'
import { type RowOf, type StoredFields, conversion } from './stored-fields.js'

const CHARGE = {
  transactionCode: ['transaction_code', 'plain'],
  accountId: ['account_id', 'plain'],
  txid: ['txid', 'plain'],
  state: ['state', 'plain'],
  openedAtMs: ['opened_at', 'optional'],
  bankExpiresAtMs: ['bank_expires_at', 'optional'],
} as const satisfies StoredFields<PixCharge>

export const storedCharge = conversion<PixCharge, typeof CHARGE>(CHARGE)

/** The PIX charge of a transaction at its bank. Times by the machine's clock. */
export interface PixChargeRow extends RowOf<PixCharge, typeof CHARGE> {
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

/** Which charge a txid names, for ever. */
export interface PixTxidRow {
  txid: string
  transaction_code: number
  account_id: string
}

const PAYMENT = {
  endToEndId: ['end_to_end_id', 'plain'],
  amountMinor: ['amount', 'amount'],
  paidAtMs: ['paid_at', 'optional'],
  foundAtMs: ['found_at', 'plain'],
  purpose: ['purpose', 'plain'],
  refundStatus: ['refund_status', 'optional'],
  refundedAtMs: ['refunded_at', 'optional'],
  bankRefunds: ['bank_refunds', 'json'],
} as const satisfies StoredFields<PixPayment>

export const storedPayment = conversion<PixPayment, typeof PAYMENT>(PAYMENT)

/** Money that arrived for a charge. */
export interface PixPaymentRow extends RowOf<PixPayment, typeof PAYMENT> {
  transaction_code: number
  /** Where it arrived. */
  account_id: string
  /** When a worker asks for the refund of a surplus; null when there is nothing to ask. */
  next_ask_at: number | null
  asks: number
}

/**
 * How far the payments of an account have been read, in lists of each kind. Times by the machine's
 * clock.
 */
export interface PixSweepRow {
  account_id: string
  kind: PixSweep['kind']
  /** Every payment until then was read. */
  swept_until: number
  /**
   * When the next list is read: a recent one if a charge is live or the last was not read to its
   * end, a daily one whatever is live.
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

export interface PixTables {
  pix_charges: PixChargeRow
  pix_txids: PixTxidRow
  pix_payments: PixPaymentRow
  pix_sweeps: PixSweepRow
}

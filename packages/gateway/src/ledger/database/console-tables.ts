import type { RefundNote } from '../../model/refund/refund.js'

/** The reason for a refund by the staff. */
export interface RefundNoteRow extends RefundNote {
  refund_id: number
  transaction_code: number
  merchant_id: string
}

/** A payer that is blocked in one store. */
export interface StoreBlockedPayerRow {
  merchant_id: string
  /** CPF, CNPJ or e-mail in lower case. */
  payer: string
  /** As in {@link RefundNote}. */
  actor: string
  at: number
}

export interface ConsoleTables {
  refund_notes: RefundNoteRow
  store_blocked_payers: StoreBlockedPayerRow
}

/** Why somebody of the staff refunded. */
export interface RefundNoteRow {
  refund_id: number
  transaction_code: number
  merchant_id: string
  /** As in the log of acts. */
  actor: string
  reason: string
  /** What they wrote; empty once the payer's data is erased. */
  note: string
}

/** A payer that may not buy in one store. */
export interface StoreBlockedPayerRow {
  merchant_id: string
  /** CPF, CNPJ or e-mail in lower case. */
  payer: string
  /** As in the log of acts. */
  actor: string
  at: number
}

export interface ConsoleTables {
  refund_notes: RefundNoteRow
  store_blocked_payers: StoreBlockedPayerRow
}

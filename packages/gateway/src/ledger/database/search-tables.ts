// Tables of the search index that the archive moves and reads. The room owns them: the core writes
// none of them.

/** One word that finds a payment. */
export interface PaymentTermRow {
  merchant_id: string
  /** The word's kind: `name`, `amount`, `status`. */
  kind: string
  term: string
  code: number
}

/** The index's data of a payment: a later reading writes the differences. */
export interface PaymentFactsRow {
  code: number
  merchant_id: string
  /** JSON of its terms, each with its kind. */
  terms: string
  /** JSON of its part of the daily figures. */
  figures: string
}

/** A payment that the index must read again. */
export interface IndexRequestRow {
  code: number
  /** By the machine's clock. */
  next_at: number
}

export interface SearchTables {
  payment_terms: PaymentTermRow
  payment_facts: PaymentFactsRow
  index_requests: IndexRequestRow
}

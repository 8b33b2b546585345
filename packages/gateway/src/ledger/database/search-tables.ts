// The tables of the search's index that the archive moves and asks. They are the room's: the core
// writes none of them.

/** One word that finds a payment. */
export interface PaymentTermRow {
  merchant_id: string
  /** What the word is of it: `name`, `amount`, `status`. */
  kind: string
  term: string
  code: number
}

/** What the index knows of a payment: a later reading writes what differs. */
export interface PaymentFactsRow {
  code: number
  merchant_id: string
  /** JSON of its terms, each with its kind. */
  terms: string
  /** JSON of what it adds to the daily figures. */
  figures: string
}

/** A payment to be read again. */
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

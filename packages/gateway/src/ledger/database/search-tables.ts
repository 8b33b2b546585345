/** One word that finds a payment. */
export interface PaymentTermRow {
  merchant_id: string
  kind: string
  term: string
  code: number
}

/** What the index knows of a payment: a later reading writes what differs. */
export interface PaymentFactsRow {
  code: number
  merchant_id: string
  /** JSON of its terms by kind. */
  terms: string
  /** JSON of what it adds to the daily figures. */
  figures: string
  /** By the machine's clock. */
  indexed_at: number
}

/** How far a pass of the index has come. */
export interface IndexProgressRow {
  name: 'new' | 'changes' | 'again'
  /** A transaction's code for `new`, else a time of the environment's clock. */
  position: number
  /** Until when a worker is at it, by the machine's clock. */
  lease_until: number | null
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
  index_progress: IndexProgressRow
  index_requests: IndexRequestRow
}

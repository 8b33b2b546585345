import type { TermKind } from '../../model/search/payment-terms.js'

/** One word that finds a payment. */
export interface PaymentTermRow {
  merchant_id: string
  kind: TermKind
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

/** How far the index has come. Who changes the index has locked all rows. */
export interface IndexProgressRow {
  /**
   * `new`: payments by their codes. `changes`: by their notifications. `again`: both, some minutes
   * later.
   */
  name: 'new' | 'changes' | 'again'
  /** A transaction's code for `new`, else a time of the environment's clock. */
  position: number
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

import type { TransactionStatus } from '@cofre/contracts'

/** Filters of `GET /transactions` (specification, section 4.4). At least one initial date; a final date needs its initial one. */
export interface SearchQuery {
  readonly 'initial-order-date'?: Date
  readonly 'final-order-date'?: Date
  readonly 'initial-payment-date'?: Date
  readonly 'final-payment-date'?: Date
  readonly 'initial-last-status-change-date'?: Date
  readonly 'final-last-status-change-date'?: Date
  readonly status?: TransactionStatus
  /** From 1. */
  readonly page?: number
  /** At most 10, which is also the default. */
  readonly 'max-page-results'?: number
}

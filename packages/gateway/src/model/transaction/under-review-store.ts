import type { Transaction } from './transaction.js'

/** Some of the transactions that are UNDER-REVIEW. */
export interface UnderReviewCount {
  readonly count: number
  /**
   * Since when the oldest is; undefined when there is none. Epoch milliseconds of the environment's
   * clock.
   */
  readonly sinceMs: number | undefined
}

/** Transactions whose outcome is not known yet. */
export interface UnderReviewStore {
  count(): Promise<{
    /** Whose payment method has not answered with a known outcome: the worker asks on. */
    readonly answer: UnderReviewCount
    /** Whose acquirer has answered that it reviews them. */
    readonly review: UnderReviewCount
  }>
  /** Those that have been UNDER-REVIEW since `sinceMs` or longer, longest first. */
  find(sinceMs: number, limit: number): Promise<readonly Transaction[]>
}

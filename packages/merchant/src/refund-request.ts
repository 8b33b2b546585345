/** Body of `POST /refunds` (specification, section 2.7). */
export interface CreateRefundRequest {
  /** The service's transaction code. */
  readonly 'transaction-id': number | string
  /** Receives the refund notification. */
  readonly 'notify-url': string
  /** In reais, at most two decimals; the whole transaction when absent. */
  readonly amount?: number
  /** `1` refunds a sandbox transaction through the production address. */
  readonly 'test-mode'?: 0 | 1
  /**
   * The shop's own identifier, up to 64 characters, used once for a transaction: the same request again is answered with the first
   * refund, and starts none.
   */
  readonly reference?: string
}

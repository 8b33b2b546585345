/** What the books have under one reference of the shop, so that a test can say: one charge. */
export interface Tally {
  /** Requests that were carried out, refused ones too. */
  readonly attempts: number
  /** Those that were authorized, whatever became of them. */
  readonly charges: number
  readonly chargedMinor: number
  readonly cancels: number
  /** Refunds that were not refused and did not fail. */
  readonly refunds: number
  readonly refundedMinor: number
}

export function sumOf(items: readonly { readonly amountMinor: number }[]): number {
  return items.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

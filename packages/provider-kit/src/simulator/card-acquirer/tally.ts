/**
 * The books' entries under one reference of the shop, so that a test can assert a single charge.
 */
export interface Tally {
  /** Processed requests, including refused ones. */
  readonly attempts: number
  /** Authorized charges, whatever happened to them later. */
  readonly charges: number
  readonly chargedMinor: number
  /** Captures that were not refused and did not fail; absent if its charges need no capture. */
  readonly captures?: number
  readonly capturedMinor?: number
  readonly cancels: number
  /** Refunds that were not refused and did not fail. */
  readonly refunds: number
  readonly refundedMinor: number
}

export function sumOf(items: readonly { readonly amountMinor: number }[]): number {
  return items.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

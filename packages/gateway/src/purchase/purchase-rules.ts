import { type MinorUnits, minorUnits } from '@cofre/contracts'

/** How much a payer document may buy (spec 7.4, 210602; design decision 8). */
export interface PurchaseLimits {
  readonly perTransactionMinor: MinorUnits
  /** Over the last 30 days; undefined where only single transactions are limited, as in the sandbox. */
  readonly perPeriodMinor: MinorUnits | undefined
}

export const PURCHASE_PERIOD_DAYS = 30
export const DEFAULT_PURCHASE_LIMIT = minorUnits(1_000_000)

/** Whether a purchase fits beside what the document has bought in the period. */
export function fitsLimits(
  amount: MinorUnits,
  boughtMinor: number,
  { perTransactionMinor, perPeriodMinor }: PurchaseLimits,
): boolean {
  return (
    amount <= perTransactionMinor &&
    (perPeriodMinor === undefined || boughtMinor + amount <= perPeriodMinor)
  )
}

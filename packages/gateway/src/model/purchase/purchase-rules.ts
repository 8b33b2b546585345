import { DAY_MS, type MinorUnits, type TransactionStatus } from '@cofre/contracts'

/**
 * Limits of a payer document's purchases (specification, section 7.4, 210602; decision 8 of section
 * 10).
 */
export interface PurchaseLimits {
  readonly perTransactionMinor: MinorUnits
  /**
   * Over the last 30 days; undefined if only single transactions are limited, as in the sandbox.
   */
  readonly perPeriodMinor: MinorUnits | undefined
}

const PURCHASE_PERIOD_DAYS = 30

/** Purchases after this time count. */
export function periodStartMs(nowMs: number): number {
  return nowMs - PURCHASE_PERIOD_DAYS * DAY_MS
}

/** Statuses of transactions without a purchase. A transaction never leaves them. */
export const NO_PURCHASE: readonly TransactionStatus[] = ['CANCELLED', 'EXPIRED', 'NOT-PAID']

/** Less than any sum of purchases. */
const NONE = -1

/**
 * The maximum of earlier purchases in the period, in centavos, for a purchase to fit; undefined
 * without a limit.
 */
export function boughtBeforeMax(
  amount: MinorUnits,
  { perTransactionMinor, perPeriodMinor }: PurchaseLimits,
): number | undefined {
  if (amount > perTransactionMinor) return NONE
  return perPeriodMinor === undefined ? undefined : perPeriodMinor - amount
}

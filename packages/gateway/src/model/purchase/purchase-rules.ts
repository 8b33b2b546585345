import { DAY_MS, type MinorUnits, type TransactionStatus } from '@cofre/contracts'

/**
 * How much a payer document may buy (specification, section 7.4, 210602; decision 8 of section 10).
 */
export interface PurchaseLimits {
  readonly perTransactionMinor: MinorUnits
  /**
   * Over the last 30 days; undefined where only single transactions are limited, as in the sandbox.
   */
  readonly perPeriodMinor: MinorUnits | undefined
}

const PURCHASE_PERIOD_DAYS = 30

/** After which a purchase counts. */
export function periodStartMs(nowMs: number): number {
  return nowMs - PURCHASE_PERIOD_DAYS * DAY_MS
}

/** Statuses of transactions in which nothing is bought. Whoever comes to one stays there. */
export const NO_PURCHASE: readonly TransactionStatus[] = ['CANCELLED', 'EXPIRED', 'NOT-PAID']

/** No sum of purchases is so small. */
const NONE = -1

/**
 * How much the document may have bought in the period for a purchase to fit, in centavos; undefined
 * where any is fine.
 */
export function boughtBeforeMax(
  amount: MinorUnits,
  { perTransactionMinor, perPeriodMinor }: PurchaseLimits,
): number | undefined {
  if (amount > perTransactionMinor) return NONE
  return perPeriodMinor === undefined ? undefined : perPeriodMinor - amount
}

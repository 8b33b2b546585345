// A card is charged with interest, and a boleto is paid with a fine or a discount. A store refunds
// its own amounts, so a refund returns the same share of the charge.
import { type MinorUnits, type RefundStatus, minorUnits } from '@cofre/contracts'
import { capturedSums } from '../transaction/capture.js'
import type { Transaction } from '../transaction/transaction.js'

/** The facts that a share of a transaction depends on. */
interface SharedTransaction {
  readonly transaction: Pick<Transaction, 'amountMinor' | 'chargedMinor' | 'capture'>
  /** All refunds of the transaction. */
  readonly refunds: readonly SharedRefund[]
}

/** The facts of a refund that count. */
interface SharedRefund {
  readonly status: RefundStatus
  readonly amountMinor: MinorUnits
  /** Its part of the charge; undefined if only its amount was charged. */
  readonly chargedMinor: MinorUnits | undefined
}

/**
 * A refund's part of the charge; 0 if nothing is left. It is rounded half up together with the
 * earlier ones, so that all of them sum to the charge. The last one returns the rest.
 */
export function chargedShare(amount: MinorUnits, shared: SharedTransaction): MinorUnits {
  const { amountMinor, chargedMinor } = capturedSums(shared.transaction)
  const before = sumsOf(notRejected(shared))
  const after = scaled(before.amountMinor + amount, { from: amountMinor, to: chargedMinor })
  return minorUnits(Math.max(0, after - before.chargedMinor))
}

/**
 * The store's amount for a part of the charge that was returned at the acquirer. The store's own
 * refund in process does not count: it may be rejected because of this one.
 */
export function amountShare(charged: MinorUnits, shared: SharedTransaction): MinorUnits {
  const { amountMinor, chargedMinor } = capturedSums(shared.transaction)
  const before = sumsOf(shared.refunds.filter(({ status }) => status === 'PROCESSED'))
  const after = scaled(before.chargedMinor + charged, { from: chargedMinor, to: amountMinor })
  return minorUnits(Math.max(0, Math.min(after, amountMinor) - before.amountMinor))
}

/** True if more than the charge has been returned, or is being returned. */
export function exceedsCharge(shared: SharedTransaction): boolean {
  return sumsOf(notRejected(shared)).chargedMinor > capturedSums(shared.transaction).chargedMinor
}

function notRejected({ refunds }: SharedTransaction): SharedTransaction['refunds'] {
  return refunds.filter(({ status }) => status !== 'REJECTED')
}

/** Sums in centavos. */
function sumsOf(refunds: SharedTransaction['refunds']) {
  return {
    amountMinor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0),
    chargedMinor: refunds.reduce(
      (sum, refund) => sum + (refund.chargedMinor ?? refund.amountMinor),
      0,
    ),
  }
}

/** Rounded half up; exact, because products of two amounts exceed a double. */
function scaled(
  part: number,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  return Number((BigInt(part) * BigInt(to) * 2n + BigInt(from)) / (BigInt(from) * 2n))
}

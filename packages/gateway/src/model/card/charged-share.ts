// A card is charged with interest, and a boleto is paid with a fine or a discount; a store refunds
// its own amounts: what goes back is the same share of the charge.
import { type MinorUnits, type RefundStatus, minorUnits } from '@cofre/contracts'
import type { Transaction } from '../transaction/transaction.js'

/** What the share of a transaction depends on. */
interface SharedTransaction {
  readonly transaction: Pick<Transaction, 'amountMinor' | 'chargedMinor'>
  /** All of the transaction. */
  readonly refunds: readonly SharedRefund[]
}

/** What of a refund counts. */
interface SharedRefund {
  readonly status: RefundStatus
  readonly amountMinor: MinorUnits
  /** What it sends of the charge; undefined where nothing was charged beside its amount. */
  readonly chargedMinor: MinorUnits | undefined
}

/**
 * What a refund sends of the charge. It is rounded half up together with those before it, so that
 * all of them sum to the charge, whatever their amounts; the last one sends what is left. 0 where
 * nothing is.
 */
export function chargedShare(amount: MinorUnits, shared: SharedTransaction): MinorUnits {
  const { amountMinor, chargedMinor } = shared.transaction
  const before = sumsOf(notRejected(shared))
  const after = scaled(before.amountMinor + amount, { from: amountMinor, to: chargedMinor })
  return minorUnits(Math.max(0, after - before.chargedMinor))
}

/**
 * The store's amount of a part of the charge that was returned at the acquirer. One of the store
 * that is in process may be rejected for it, and takes nothing of it.
 */
export function amountShare(charged: MinorUnits, shared: SharedTransaction): MinorUnits {
  const { amountMinor, chargedMinor } = shared.transaction
  const before = sumsOf(shared.refunds.filter(({ status }) => status === 'PROCESSED'))
  const after = scaled(before.chargedMinor + charged, { from: chargedMinor, to: amountMinor })
  return minorUnits(Math.max(0, Math.min(after, amountMinor) - before.amountMinor))
}

/** Whether more than was charged has gone back, or is on its way. */
export function exceedsCharge(shared: SharedTransaction): boolean {
  return sumsOf(notRejected(shared)).chargedMinor > shared.transaction.chargedMinor
}

function notRejected({ refunds }: SharedTransaction): SharedTransaction['refunds'] {
  return refunds.filter(({ status }) => status !== 'REJECTED')
}

/** In centavos. */
function sumsOf(refunds: SharedTransaction['refunds']) {
  return {
    amountMinor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0),
    chargedMinor: refunds.reduce(
      (sum, refund) => sum + (refund.chargedMinor ?? refund.amountMinor),
      0,
    ),
  }
}

/** Rounded half up; exact, as products of two amounts are beyond a double. */
function scaled(
  part: number,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  return Number((BigInt(part) * BigInt(to) * 2n + BigInt(from)) / (BigInt(from) * 2n))
}

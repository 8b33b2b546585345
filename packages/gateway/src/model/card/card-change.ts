import type { CardChange, MinorUnits } from '@cofre/contracts'
import type { Transaction, TransactionCode } from '../transaction/transaction.js'

/** A change of a card's charge that an acquirer reported by itself, and that was applied. */
export interface AppliedCardChange {
  readonly id: string
  readonly transactionCode: TransactionCode
  readonly kind: CardChange['change']['kind']
  /** When it happened, as the acquirer reports; by the machine's clock. */
  readonly atMs: number
  /** Its part of the charge; undefined if the change is about all of it. */
  readonly amountMinor: MinorUnits | undefined
  /** The acquirer's text. */
  readonly detail: string | undefined
}

/** The outcome of a change. */
export type ChangeOutcome =
  | 'applied'
  /** Applied, but refunds exceed the charge: a person must check. */
  | 'excess'
  /** Applied before. */
  | 'known'
  /** Recorded, but in conflict with the transaction: a person must check. */
  | 'unfit'
  /** About money that the transaction does not have yet: another change comes before it. */
  | 'too-early'
  | 'no-transaction'

/** The same, or `failed` if it could not be applied: then it is reported again. */
export type ChangeEnd = ChangeOutcome | 'failed'

/** Kinds of changes by which money was reversed, or may be. */
export const DISPUTE_KINDS = [
  'capture_failed',
  'dispute_announced',
  'charged_back',
  'chargeback_reversed',
] as const satisfies readonly AppliedCardChange['kind'][]

/** A dispute with its transaction. */
export interface CardDispute
  extends AppliedCardChange, Pick<Transaction, 'merchantId' | 'reference' | 'status'> {}

/**
 * True if a charge is charged back, by the times of its changes: they may arrive in any order. A
 * reversal cancels an earlier chargeback, but never a later one.
 */
export function isChargedBack(
  changes: readonly Pick<AppliedCardChange, 'kind' | 'atMs'>[],
): boolean {
  const steps = changes.flatMap(({ kind, atMs }) => {
    if (kind === 'charged_back') return [{ atMs, by: 1 }]
    return kind === 'chargeback_reversed' ? [{ atMs, by: -1 }] : []
  })
  // At equal times, the chargeback came first.
  const inOrder = steps.toSorted((a, b) => a.atMs - b.atMs || b.by - a.by)
  return inOrder.reduce((standing, { by }) => Math.max(0, standing + by), 0) > 0
}

import type { CardChange, MinorUnits } from '@cofre/contracts'
import type { Transaction, TransactionCode } from '../transaction/transaction.js'

/** What an acquirer has reported of a card's charge by itself, and was applied. */
export interface AppliedCardChange {
  readonly id: string
  readonly transactionCode: TransactionCode
  readonly kind: CardChange['change']['kind']
  /** When it happened, as the acquirer says; by the machine's clock. */
  readonly atMs: number
  /** Of what was charged; undefined where the change is about all of it. */
  readonly amountMinor: MinorUnits | undefined
  /** The acquirer's words. */
  readonly detail: string | undefined
}

/** What became of a change. */
export type ChangeOutcome =
  | 'applied'
  /** It was applied, and more goes back than was charged: a person has to look. */
  | 'excess'
  /** It was applied before. */
  | 'known'
  /** It is kept, but does not fit what the transaction is: a person has to look. */
  | 'unfit'
  /** It is about money that the transaction does not have yet: another one comes before it. */
  | 'too-early'
  | 'no-transaction'

/** The same, or that it could not be applied: then it comes again. */
export type ChangeEnd = ChangeOutcome | 'failed'

/** Kinds of changes by which money was taken back, or may be. */
export const DISPUTE_KINDS = [
  'capture_failed',
  'dispute_announced',
  'charged_back',
  'chargeback_reversed',
] as const satisfies readonly AppliedCardChange['kind'][]

/** One of them, with its transaction. */
export interface CardDispute
  extends AppliedCardChange, Pick<Transaction, 'merchantId' | 'reference' | 'status'> {}

/**
 * Whether a charge is charged back, by the times of its changes: they may come in any order. A
 * reversal takes back a chargeback before it; alone it does not stand for one that comes after.
 */
export function isChargedBack(
  changes: readonly Pick<AppliedCardChange, 'kind' | 'atMs'>[],
): boolean {
  const steps = changes.flatMap(({ kind, atMs }) => {
    if (kind === 'charged_back') return [{ atMs, by: 1 }]
    return kind === 'chargeback_reversed' ? [{ atMs, by: -1 }] : []
  })
  // At one time the chargeback came first.
  const inOrder = steps.toSorted((a, b) => a.atMs - b.atMs || b.by - a.by)
  return inOrder.reduce((standing, { by }) => Math.max(0, standing + by), 0) > 0
}

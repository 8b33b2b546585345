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

/** Whether a charge is charged back, whatever the order in which its changes came. */
export function isChargedBack(changes: readonly Pick<AppliedCardChange, 'kind'>[]): boolean {
  const count = (kind: AppliedCardChange['kind']): number =>
    changes.filter((change) => change.kind === kind).length
  return count('charged_back') > count('chargeback_reversed')
}

import type { TransactionCode } from '../transaction/transaction-code.js'
import type { Refund, RefundCase, RefundId, RefundObjection, RefundOutcome } from './refund.js'

/** What a worker that processes refunds wants; times by the machine's clock. */
export interface RefundClaim {
  readonly machineNowMs: number
  readonly limit: number
}

/** What is known of a transaction when a refund of it is judged. */
export type RefundFacts = Pick<RefundCase, 'transaction' | 'refunds'>

/** Why a refund was not inserted. */
export type RefundConflict =
  | 'id_taken'
  /** The transaction's first refund of the same reference. */
  | { readonly kind: 'reference_used'; readonly earlier: Refund }
  | { readonly kind: 'refused'; readonly objection: RefundObjection }

export interface RefundStore {
  /**
   * Commits a refund that is PROCESSING, unless the transaction has one of its reference, in
   * whatever state, or `judge` objects. Refunds of one transaction take turns: each sees those
   * before it.
   */
  insert(
    refund: Refund,
    judge: (facts: RefundFacts) => RefundObjection | undefined,
  ): Promise<'inserted' | RefundConflict>
  /**
   * Takes refunds that are PROCESSING and due to be asked for, each given to exactly one caller
   * until its lease ends, even when called concurrently. Each taking makes the next pause longer.
   */
  claimProcessing(claim: RefundClaim): Promise<readonly Refund[]>
  /**
   * Commits the outcome of a refund that is PROCESSING, the transaction's status and the
   * notifications of both; false when somebody else did.
   */
  finish(id: RefundId, outcome: RefundOutcome, atMs: number): Promise<boolean>
  /** The refunds of several transactions, oldest first. */
  findOf(
    codes: readonly TransactionCode[],
  ): Promise<ReadonlyMap<TransactionCode, readonly Refund[]>>
}

import type { ErrorName } from '@cofre/contracts'
import type { TransactionCode } from '../transaction/transaction-code.js'
import type { Refund, RefundId, RefundOutcome } from './refund.js'

/** What a worker that processes refunds wants; times by the machine's clock. */
export interface RefundClaim {
  readonly machineNowMs: number
  readonly limit: number
}

export interface RefundStore {
  /**
   * Commits a refund that is PROCESSING, unless one of the transaction already is, or `judge` objects to what was
   * refunded before. Of concurrent refunds of one transaction exactly one is inserted.
   * @param judge - Called with the sum of the transaction's refunds that were not rejected, in centavos.
   */
  insert(
    refund: Refund,
    judge: (refundedMinor: number) => ErrorName | undefined,
  ): Promise<'inserted' | 'id_taken' | ErrorName>
  /**
   * Takes refunds that are PROCESSING and due to be asked for, each given to exactly one caller until its lease ends,
   * even when called concurrently. Each taking makes the next pause longer.
   */
  claimProcessing(claim: RefundClaim): Promise<readonly Refund[]>
  /**
   * Commits the outcome of a refund that is PROCESSING, the transaction's status and the notifications of both; false
   * when somebody else did.
   */
  finish(id: RefundId, outcome: RefundOutcome, atMs: number): Promise<boolean>
  /** The refunds of several transactions, oldest first. */
  findOf(
    codes: readonly TransactionCode[],
  ): Promise<ReadonlyMap<TransactionCode, readonly Refund[]>>
}

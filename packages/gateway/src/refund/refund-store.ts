import type { ErrorName } from '@cofre/contracts'
import type { TransactionCode } from '../transaction/transaction-code.js'
import type { Refund } from './refund.js'

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
  /** The refunds of several transactions, oldest first. */
  findOf(
    codes: readonly TransactionCode[],
  ): Promise<ReadonlyMap<TransactionCode, readonly Refund[]>>
}

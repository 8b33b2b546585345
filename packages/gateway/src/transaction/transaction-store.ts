import type { TransactionStatus } from '@cofre/contracts'
import type { SearchQuery } from '../search/search-query.js'
import type { Transaction } from './transaction.js'
import type { TransactionCode } from './transaction-code.js'

/** What the payment method's answer changes in a transaction. */
export interface Settlement extends Pick<
  Transaction,
  'status' | 'open' | 'subType' | 'savedCard' | 'cardBin' | 'cardLastFour'
> {
  /** Epoch milliseconds. */
  readonly atMs: number
}

export interface TransactionStore {
  /**
   * Commits a transaction before its payment method is asked. Of concurrent intents with one reference exactly one is
   * inserted.
   */
  insertIntent(intent: Transaction): Promise<'inserted' | 'reference_used' | 'code_taken'>
  /** Commits what the payment method answered to an open intent, and returns the transaction as it then is. */
  settle(code: TransactionCode, settlement: Settlement): Promise<Transaction>
  /** Removes an open intent whose payment method was never asked; its reference may be used again. */
  withdrawIntent(code: TransactionCode): Promise<void>
  find(merchantId: string, code: TransactionCode): Promise<Transaction | undefined>
  /** A page of the store's transactions, oldest first by the date that is searched, and how many there are on all pages. */
  search(
    merchantId: string,
    query: SearchQuery,
  ): Promise<{ readonly transactions: readonly Transaction[]; readonly found: number }>
}

/** Statuses in which money has arrived. */
export const PAID_STATUSES: readonly TransactionStatus[] = ['COMPLETE', 'REFUNDED', 'CHARGEBACK']

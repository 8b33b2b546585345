import type { TransactionStatus } from '@cofre/contracts'
import type { PurchaseLimits } from '../purchase/purchase-rules.js'
import type { SearchQuery } from '../search/search-query.js'
import type { Transaction } from './transaction.js'
import type { TransactionCode } from './transaction-code.js'

/** What the payment method's answer changes in a transaction. */
export interface Settlement
  extends
    Pick<Transaction, 'status' | 'open'>,
    Partial<
      Pick<
        Transaction,
        'subType' | 'savedCard' | 'cardBin' | 'cardLastFour' | 'paymentDetails' | 'expiresAtMs'
      >
    > {
  /** Epoch milliseconds. */
  readonly atMs: number
}

/** What a worker that asks after open intents wants; times by the machine's clock. */
export interface IntentClaim {
  readonly machineNowMs: number
  /** After which another worker may ask. */
  readonly leaseMs: number
  readonly limit: number
}

/** Why an intent was not inserted. */
export type IntentConflict =
  'reference_used' | 'code_taken' | 'limit_exceeded' | 'payer_blocked' | 'payer_blocked_by_provider'

export interface TransactionStore {
  /**
   * Commits a transaction before its payment method is asked, unless its payer is blocked or has bought up to the limits.
   * Of concurrent intents with one reference exactly one is inserted.
   */
  insertIntent(intent: Transaction, limits: PurchaseLimits): Promise<'inserted' | IntentConflict>
  /** Commits what the payment method answered to an open intent, and returns the transaction as it then is. */
  settle(code: TransactionCode, settlement: Settlement): Promise<Transaction>
  /** Removes an open intent whose payment method was never asked; its reference may be used again. */
  withdrawIntent(code: TransactionCode): Promise<void>
  find(merchantId: string, code: TransactionCode): Promise<Transaction | undefined>
  /** Of any store. */
  findByCode(code: TransactionCode): Promise<Transaction | undefined>
  findByReference(merchantId: string, reference: string): Promise<Transaction | undefined>
  findByPublicId(publicId: string): Promise<Transaction | undefined>
  /**
   * Moves a transaction to a status it may go to. Undefined, and nothing changed, when it may not: of concurrent moves
   * that exclude each other exactly one wins.
   */
  changeStatus(
    code: TransactionCode,
    to: TransactionStatus,
    atMs: number,
  ): Promise<Transaction | undefined>
  /**
   * Takes open intents whose request has gone unanswered too long, each given to exactly one caller until its lease ends,
   * even when called concurrently.
   */
  claimOpenIntents(claim: IntentClaim): Promise<readonly Transaction[]>
  /** Pending transactions whose time to be paid has run out, longest ago first. */
  findExpired(nowMs: number, limit: number): Promise<readonly Transaction[]>
  /** A page of the store's transactions, oldest first by the date that is searched, and how many there are on all pages. */
  search(
    merchantId: string,
    query: SearchQuery,
  ): Promise<{ readonly transactions: readonly Transaction[]; readonly found: number }>
}

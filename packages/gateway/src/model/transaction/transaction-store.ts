import type { TransactionStatus } from '@cofre/contracts'
import type { PurchaseLimits } from '../purchase/purchase-rules.js'
import type { SearchQuery } from './search-query.js'
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
  /** When the store is notified of it; at once when absent. Epoch milliseconds. */
  readonly notifyAtMs?: number
}

/** What the vault tells of a completed transaction's card when the answer to its order was lost. */
export type LearntCard = Pick<Settlement, 'subType' | 'savedCard' | 'cardBin' | 'cardLastFour'>

/** Where a transaction is to go. */
export interface StatusMove {
  readonly to: TransactionStatus
  /** Epoch milliseconds. */
  readonly atMs: number
  /**
   * Until when the caller of a move to COMPLETE activates the card that the transaction may have
   * saved, by the machine's clock; then a worker does. A worker does at once when absent.
   */
  readonly activateAtMs?: number
}

/** What a worker wants of the transactions that wait for it; times by the machine's clock. */
export interface TransactionClaim {
  readonly machineNowMs: number
  /** After which another worker may ask. */
  readonly leaseMs: number
  readonly limit: number
}

/** Why an intent was not inserted. */
export type IntentConflict =
  'reference_used' | 'code_taken' | 'limit_exceeded' | 'payer_blocked' | 'payer_blocked_by_provider'

/** A transaction, and what else a search that answers it must see to. */
export interface SearchedTransaction {
  readonly transaction: Transaction
  /** A notification of its payment waits for a search to tell of it. */
  readonly awaitsSearch: boolean
  readonly hasRefunds: boolean
}

export interface TransactionStore {
  /**
   * Commits a transaction before its payment method is asked, unless its payer is blocked or has
   * bought up to the limits. Of concurrent intents with one reference exactly one is inserted.
   */
  insertIntent(intent: Transaction, limits: PurchaseLimits): Promise<'inserted' | IntentConflict>
  /**
   * Commits what the payment method answered to an open intent, and returns the transaction as it
   * then is. Where it may not go to the status of the answer, it keeps its own.
   * @param intent - As it is stored: its store and address are whom the notification is for.
   */
  settle(intent: Transaction, settlement: Settlement): Promise<Transaction>
  /**
   * Removes an intent that is open and PENDING; its reference may be used again. False, and nothing
   * changed, when it is not: then the shop may know of it.
   */
  withdrawIntent(intent: Transaction): Promise<boolean>
  find(merchantId: string, code: TransactionCode): Promise<Transaction | undefined>
  findSearched(merchantId: string, code: TransactionCode): Promise<SearchedTransaction | undefined>
  /** Of any store. */
  findByCode(code: TransactionCode): Promise<Transaction | undefined>
  findByReference(merchantId: string, reference: string): Promise<Transaction | undefined>
  findByPublicId(publicId: string): Promise<Transaction | undefined>
  /**
   * Moves a transaction to a status it may go to. Undefined, and nothing changed, when it may not:
   * of concurrent moves that exclude each other exactly one wins. A card that a completed
   * transaction may have saved waits for its activation from the same commit on.
   */
  changeStatus(code: TransactionCode, move: StatusMove): Promise<Transaction | undefined>
  /**
   * Takes open intents whose request has gone unanswered too long, each given to exactly one caller
   * until its lease ends, even when called concurrently.
   */
  claimOpenIntents(claim: TransactionClaim): Promise<readonly Transaction[]>
  /**
   * Takes completed transactions whose card has waited too long for its activation, each given to
   * exactly one caller until its lease ends, even when called concurrently.
   */
  claimActivations(claim: TransactionClaim): Promise<readonly Transaction[]>
  /**
   * Commits that the vault has activated the card: it waits no more. What is known of the card
   * already stays.
   */
  finishActivation(code: TransactionCode, learnt?: LearntCard): Promise<void>
  /** Pending transactions whose time to be paid has run out, longest ago first. */
  findExpired(nowMs: number, limit: number): Promise<readonly Transaction[]>
  /**
   * Deletes what is kept of purchases that are too old to count towards a limit, some at a time.
   */
  forgetPurchases(nowMs: number): Promise<void>
  /**
   * A page of the store's transactions, oldest first by the date that is searched, and how many
   * there are on all pages.
   */
  search(
    merchantId: string,
    query: SearchQuery,
  ): Promise<{ readonly transactions: readonly Transaction[]; readonly found: number }>
}

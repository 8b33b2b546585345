import type { TransactionStatus } from '@cofre/contracts'
import type { DeliveryAttempt, Notification } from '../notification/notification.js'
import type { Refund, RefundId } from '../refund/refund.js'
import type { Transaction } from '../transaction/transaction.js'
import type { TransactionCode } from '../transaction/transaction-code.js'
import type { Milestones, PageQuery, TransactionListQuery } from './back-office.js'

/** A notification as it is kept. Times in epoch milliseconds. */
export interface KeptNotification {
  readonly notification: Notification
  readonly acknowledgedAtMs: number | undefined
  readonly doneAtMs: number | undefined
  readonly nextAttemptAtMs: number
  /** Its store has failed for long: not this one's time counts then, but the store's next probe. */
  readonly isHeld: boolean
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
}

/** Looks over a store's shoulder: every method sees one store alone. */
export interface BackOfficeStore {
  /** A page, newest first, and how many there are on all pages. */
  listTransactions(
    merchantId: string,
    query: TransactionListQuery,
  ): Promise<{ readonly transactions: readonly Transaction[]; readonly found: number }>
  /** The status that the payment method's answer gave it; undefined before that. */
  firstStatusOf(code: TransactionCode): Promise<TransactionStatus | undefined>
  /** Of one transaction, in the order of its changes. */
  notificationsOf(code: TransactionCode): Promise<readonly KeptNotification[]>
  /** A page, newest first, and how many there are on all pages. */
  listNotifications(
    merchantId: string,
    page: PageQuery,
  ): Promise<{ readonly notifications: readonly KeptNotification[]; readonly found: number }>
  /** Puts a notification of the status into the outbox, if the transaction still has it; false when not. */
  notifyAgain(code: TransactionCode, status: TransactionStatus, atMs: number): Promise<boolean>
  findRefund(merchantId: string, id: RefundId): Promise<Refund | undefined>
  milestones(merchantId: string): Promise<Milestones>
  /** A text that differs when transactions, refunds or notifications have changed; a few probes of indexes. */
  revision(merchantId: string): Promise<string>
  /**
   * Deletes transactions that were answered, with their refunds and notifications, and all idempotency keys. What a worker
   * does with one of them at the same time leaves nothing behind.
   */
  deleteTransactions(merchantId: string): Promise<void>
}

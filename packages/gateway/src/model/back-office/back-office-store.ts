import type { TransactionStatus } from '@cofre/contracts'
import type { Refund, RefundId } from '../refund/refund.js'
import type { Transaction } from '../transaction/transaction.js'
import type { TransactionCode } from '../transaction/transaction-code.js'
import type {
  Milestones,
  NotificationDetails,
  Page,
  PageQuery,
  TransactionListQuery,
} from './back-office.js'

/** Reads one store's transactions, refunds and notifications. Every method sees one store alone. */
export interface BackOfficeStore {
  /** Newest first. */
  listTransactions(merchantId: string, query: TransactionListQuery): Promise<Page<Transaction>>
  /** The status that the payment method's answer gave it; undefined before that. */
  firstStatusOf(code: TransactionCode): Promise<TransactionStatus | undefined>
  /** Of one transaction, in the order of its changes. */
  notificationsOf(code: TransactionCode): Promise<readonly NotificationDetails[]>
  /** Newest first. */
  listNotifications(merchantId: string, page: PageQuery): Promise<Page<NotificationDetails>>
  /** Queues a notification of the status; false when the transaction's status is another by now. */
  notifyAgain(code: TransactionCode, status: TransactionStatus, atMs: number): Promise<boolean>
  findRefund(merchantId: string, id: RefundId): Promise<Refund | undefined>
  milestones(merchantId: string): Promise<Milestones>
  /** Differs when transactions, refunds or notifications have changed; a few index probes. */
  revision(merchantId: string): Promise<string>
  /**
   * Deletes answered transactions with their refunds and notifications, and all idempotency keys.
   * What a worker does with one of them at the same time leaves nothing behind.
   */
  deleteTransactions(merchantId: string): Promise<void>
}

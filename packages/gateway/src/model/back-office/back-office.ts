import type { PaymentType, RefundStatus, TransactionStatus } from '@cofre/contracts'
import type {
  DeliveryAttempt,
  Notification,
  NotificationMessage,
} from '../notification/notification.js'
import type { Refund } from '../refund/refund.js'
import type { Transaction } from '../transaction/transaction.js'

/** Which of a store's transactions, newest first. Times in epoch milliseconds. */
export interface TransactionListQuery extends PageQuery {
  readonly status?: TransactionStatus | undefined
  readonly paymentType?: PaymentType | undefined
  /** Created at or after, and before. */
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
  /** Part of the reference, the payer's e-mail or the description, in any case; or the whole transaction code. */
  readonly text?: string | undefined
}

export interface PageQuery {
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** A notification with what became of it. */
export interface NotificationFile {
  readonly notification: Notification
  readonly message: NotificationMessage
  /**
   * `waiting-for-search`: acknowledged, but a COMPLETE transaction must also be searched (spec
   * 6.1). `held`: the store has failed for long, and is sent one notification every interval until
   * it acknowledges one.
   */
  readonly state: 'waiting' | 'waiting-for-search' | 'held' | 'done'
  /** Undefined when it is done or held. */
  readonly nextAttemptAtMs: number | undefined
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
}

/** A transaction with everything that happened to it. */
export interface TransactionFile {
  readonly transaction: Transaction
  /** Each status it came to, oldest first; the first is that of its creation. */
  readonly history: readonly StatusEntry[]
  /** Oldest first. */
  readonly refunds: readonly Refund[]
  /** In the order of the changes. */
  readonly notifications: readonly NotificationFile[]
}

export interface StatusEntry {
  readonly status: TransactionStatus
  readonly atMs: number
}

/** What a store's transactions have reached, and when first. Undefined: not yet. */
export interface Milestones {
  readonly cardPaid: number | undefined
  readonly cardDeclined: number | undefined
  readonly boletoCreated: number | undefined
  readonly boletoPaid: number | undefined
  readonly pixCreated: number | undefined
  readonly pixPaid: number | undefined
  readonly walletPaid: number | undefined
  readonly refundProcessed: number | undefined
  readonly refundRejected: number | undefined
  readonly notificationAcknowledged: number | undefined
  readonly searchedAfterNotification: number | undefined
}

/** What came of a change by hand. */
export type ChangeResult = 'changed' | 'not-found' | 'not-allowed'

/** What came of a bank's report. `open`: the transaction's creation is not answered yet; report again later. */
export type ReportResult = ChangeResult | 'open'

/** How a refund may be ended by hand. */
export type RefundEnd = Exclude<RefundStatus, 'PROCESSING'>

/**
 * Each status a transaction came to, from the outbox, which holds every change but the first status of a transaction that
 * waits. A notification that was asked for again repeats its status, and is no change.
 */
export function historyOf(
  { createdAtMs }: Transaction,
  firstStatus: TransactionStatus | undefined,
  notifications: readonly Pick<Notification, 'status' | 'refundId' | 'createdAtMs'>[],
): readonly StatusEntry[] {
  const history: StatusEntry[] = [{ status: firstStatus ?? 'PENDING', atMs: createdAtMs }]
  for (const { status, refundId, createdAtMs: atMs } of notifications) {
    if (refundId === undefined && status !== history.at(-1)?.status) history.push({ status, atMs })
  }
  return history
}

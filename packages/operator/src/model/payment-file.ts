import type { TransactionStatus } from '@cofre/contracts'
import type {
  Notification,
  NotificationDetails,
  PageParts,
  Refund,
  RefundId,
  RefundNote,
  Transaction,
  TransactionCode,
} from '@cofre/gateway/room'

/** After one time and until another, in epoch milliseconds. */
export interface Period {
  readonly afterMs: number
  readonly untilMs: number
}

/** The number of events that become due in a period. */
export interface DueCount {
  /** Unpaid payments that expire. */
  readonly expiries: number
  readonly notifications: number
}

/** A transaction with its whole history. */
export interface TransactionDetails extends PageParts {
  readonly transaction: Transaction
  /** Empty once the payer's data is erased. */
  readonly payerName: string
  /** Each status it reached, oldest first; the first is that of its creation. */
  readonly history: readonly StatusEntry[]
  /** Oldest first. */
  readonly refunds: readonly Refund[]
  /** The notes on refunds that staff requested. */
  readonly refundNotes: ReadonlyMap<RefundId, RefundNote>
  /** In the order of the changes. */
  readonly notifications: readonly NotificationDetails[]
}

export interface StatusEntry {
  readonly status: TransactionStatus
  readonly atMs: number
}

/** The desk's port to the room that notifies stores. */
export interface PaymentNotifications {
  /** A payment's notifications, in the order of its changes. */
  readonly ofPayment: (code: TransactionCode) => Promise<readonly NotificationDetails[]>
  /** Queues a notification of the status; false if the payment's status has changed. */
  readonly notifyAgain: (code: TransactionCode, status: TransactionStatus) => Promise<boolean>
}

/** For a desk without notifications, such as that of examples. */
export const NOT_NOTIFIED: PaymentNotifications = {
  ofPayment: () => Promise.resolve([]),
  notifyAgain: () => Promise.resolve(false),
}

/** The result of a change by hand. */
export type ChangeResult = 'changed' | 'not-found' | 'not-allowed'

/**
 * Each status of a transaction, from the outbox. The outbox lacks the first status of a waiting
 * transaction, and every change of an example. An example's known changes are its payment and its
 * last change. A repeated notification repeats its status, and is no change.
 */
export function historyOf(
  { createdAtMs, example, firstStatus = 'PENDING', paidAtMs, ...now }: Transaction,
  notifications: readonly Pick<Notification, 'status' | 'refundId' | 'createdAtMs'>[],
): readonly StatusEntry[] {
  const history: StatusEntry[] = [{ status: firstStatus, atMs: createdAtMs }]
  for (const { status, refundId, createdAtMs: atMs } of notifications) {
    if (refundId === undefined && status !== history.at(-1)?.status) history.push({ status, atMs })
  }
  if (example === undefined) return history
  const known = [
    ...(paidAtMs === undefined ? [] : [{ status: 'COMPLETE', atMs: paidAtMs } as const]),
    { status: now.status, atMs: now.statusChangedAtMs },
  ]
  for (const entry of known) if (entry.status !== history.at(-1)?.status) history.push(entry)
  return history
}

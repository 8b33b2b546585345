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

/** How much becomes due in a period. */
export interface DueCount {
  /** Unpaid payments that lapse. */
  readonly expiries: number
  readonly notifications: number
}

/** A transaction with everything that happened to it. */
export interface TransactionDetails extends PageParts {
  readonly transaction: Transaction
  /** Empty once the payer's data is erased. */
  readonly payerName: string
  /** Each status it came to, oldest first; the first is that of its creation. */
  readonly history: readonly StatusEntry[]
  /** Oldest first. */
  readonly refunds: readonly Refund[]
  /** Of those that somebody of the staff asked for. */
  readonly refundNotes: ReadonlyMap<RefundId, RefundNote>
  /** In the order of the changes. */
  readonly notifications: readonly NotificationDetails[]
}

export interface StatusEntry {
  readonly status: TransactionStatus
  readonly atMs: number
}

/** What the desk asks of the room that notifies stores. */
export interface PaymentNotifications {
  /** Of a payment, in the order of its changes. */
  readonly ofPayment: (code: TransactionCode) => Promise<readonly NotificationDetails[]>
  /** Queues a notification of the status; false when the payment's status is another by now. */
  readonly notifyAgain: (code: TransactionCode, status: TransactionStatus) => Promise<boolean>
}

/** For a desk whose payments are notified to no shop, as examples are. */
export const NOT_NOTIFIED: PaymentNotifications = {
  ofPayment: () => Promise.resolve([]),
  notifyAgain: () => Promise.resolve(false),
}

/** The result of a change by hand. */
export type ChangeResult = 'changed' | 'not-found' | 'not-allowed'

/**
 * Each status a transaction came to, from the outbox. The outbox holds every change but the first
 * status of a waiting transaction, and none of an example: what is known of that is its payment and
 * its last change. A repeated notification repeats its status, and is no change.
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

import type { ListPage, ListQuery, TransactionStatus } from '@cofre/contracts'
import type {
  DeliveryAttempt,
  Merchant,
  Notification,
  NotificationDetails,
  TransactionCode,
} from '@cofre/gateway/room'
import type { OutgoingNotification } from './sending.js'

/** Where a reader of a store's notifications is: behind the one that these values are of. */
export interface NotificationPlace extends Pick<Notification, 'createdAtMs' | 'position'> {
  /** 0 before any of its moment. */
  readonly transactionCode: number
}

/** What waits for a store. Times in epoch milliseconds of the environment's clock. */
export interface StoreBacklog {
  readonly merchantId: string
  /** Notifications that it has not acknowledged. */
  readonly waiting: number
  /** Creation of the oldest of them. */
  readonly oldestMs: number
  /** Of the oldest that it was sent and did not acknowledge; undefined when there is none. */
  readonly refusedSinceMs: number | undefined
  /** Of the oldest whose turn it is and that was not sent yet; undefined when there is none. */
  readonly unsentSinceMs: number | undefined
  /** It was sent some of them, and did not acknowledge the last notification that it was sent. */
  readonly isFailing: boolean
  /** A host or a kind has failed for long: one of what was refused is repeated every interval. */
  readonly isProbed: boolean
}

/** What came of an attempt that was not acknowledged. */
export type NotificationRefusal = Pick<DeliveryAttempt, 'atMs' | 'statusCode' | 'error'>

/**
 * The notifications of an environment, as people see them and have them sent again. What is asked
 * by store answers and changes nothing of another store.
 */
export interface Notifications {
  /** Newest first. */
  readonly list: (storeId: string, query: ListQuery) => Promise<ListPage<NotificationDetails>>
  /** Those behind a place, oldest first, some at a time. */
  readonly after: (storeId: string, place: NotificationPlace) => Promise<readonly Notification[]>
  /** What the store would be sent of its notification now. Nothing of it changes. */
  readonly outgoing: (store: Merchant, notification: Notification) => OutgoingNotification
  /** Makes a notification due again; false when there is none. */
  readonly resend: (storeId: string, code: string, position: number) => Promise<boolean>
  /** Of a payment of any store, in the order of its changes. */
  readonly ofPayment: (code: TransactionCode) => Promise<readonly NotificationDetails[]>
  /** Queues a notification of the status; false when the payment's status is another by now. */
  readonly notifyAgain: (code: TransactionCode, status: TransactionStatus) => Promise<boolean>
  /** Stores that have not acknowledged everything that was due. */
  readonly backlog: () => Promise<readonly StoreBacklog[]>
}

/** What is kept of notifications, for commands beside the processes that send them. */
export interface NotificationRecord extends Pick<Notifications, 'backlog' | 'ofPayment'> {
  /** The latest attempt at what a store has not acknowledged; undefined when there is none. */
  readonly lastRefusal: (storeId: string) => Promise<NotificationRefusal | undefined>
  /** Deletes attempts from before a time at notifications that are done; returns how many. */
  readonly forgetAttempts: (beforeMs: number) => Promise<number>
}

import type { ListPage, ListQuery, TransactionStatus } from '@cofre/contracts'
import type {
  DeliveryAttempt,
  Merchant,
  Notification,
  NotificationDetails,
  TransactionCode,
} from '@cofre/gateway/room'
import type { OutgoingNotification } from './sending.js'

/** A position in a store's notifications: directly behind the one with these values. */
export interface NotificationPlace extends Pick<Notification, 'createdAtMs' | 'position'> {
  /** 0 for the position before all notifications of the moment. */
  readonly transactionCode: number
}

/** The backlog of a store. Times are in epoch milliseconds of the environment's clock. */
export interface StoreBacklog {
  readonly merchantId: string
  /** Notifications that the store has not acknowledged. */
  readonly waiting: number
  /** The creation time of the oldest one. */
  readonly oldestMs: number
  /**
   * The creation time of the oldest one that was sent without an acknowledgement; undefined without
   * any.
   */
  readonly refusedSinceMs: number | undefined
  /**
   * The creation time of the oldest unsent one that waits for no earlier one; undefined without
   * any.
   */
  readonly unsentSinceMs: number | undefined
  /** True if some were sent and the store did not acknowledge the latest one. */
  readonly isFailing: boolean
  /**
   * True if a host or a kind has failed for long: one refused notification is repeated every
   * interval.
   */
  readonly isProbed: boolean
}

/** The result of an attempt without an acknowledgement. */
export type NotificationRefusal = Pick<DeliveryAttempt, 'atMs' | 'statusCode' | 'error'>

/**
 * The notifications of an environment, as people see them and resend them. An operation on a store
 * affects no other store.
 */
export interface Notifications {
  /** Newest first. */
  readonly list: (storeId: string, query: ListQuery) => Promise<ListPage<NotificationDetails>>
  /** The notifications behind a place, oldest first, in batches. */
  readonly after: (storeId: string, place: NotificationPlace) => Promise<readonly Notification[]>
  /** The request that the store would now receive for its notification. Changes nothing. */
  readonly outgoing: (store: Merchant, notification: Notification) => OutgoingNotification
  /** Makes a notification due again; false if there is no such notification. */
  readonly resend: (storeId: string, code: string, position: number) => Promise<boolean>
  /** The notifications of a payment of any store, in the order of its changes. */
  readonly ofPayment: (code: TransactionCode) => Promise<readonly NotificationDetails[]>
  /** Queues a notification of the status; false if the payment's status has changed. */
  readonly notifyAgain: (code: TransactionCode, status: TransactionStatus) => Promise<boolean>
  /** The stores that have not acknowledged every due notification. */
  readonly backlog: () => Promise<readonly StoreBacklog[]>
}

/** The records of notifications, for commands that run beside the sending processes. */
export interface NotificationRecord extends Pick<Notifications, 'backlog' | 'ofPayment'> {
  /** The latest attempt at the store's unacknowledged notifications; undefined without any. */
  readonly lastRefusal: (storeId: string) => Promise<NotificationRefusal | undefined>
  /** Deletes attempts at finished notifications from before a time; returns their number. */
  readonly forgetAttempts: (beforeMs: number) => Promise<number>
}

import type { MedNature, TransactionStatus } from '@cofre/contracts'
import type { RefundId } from '../refund/refund.js'
import type { TransactionCode } from '../transaction/transaction.js'

/**
 * The subject of a notification. Its position in the transaction's series of notifications makes it
 * unique.
 */
export interface Notification {
  readonly transactionCode: TransactionCode
  /** From 1, in the order of the changes. */
  readonly position: number
  readonly merchantId: string
  readonly url: string
  /** The refund that has finished; undefined for a change of the transaction's status. */
  readonly refundId: RefundId | undefined
  /** Why a bank returned the money by itself, if that caused the status. */
  readonly refundNature: MedNature | undefined
  /** The transaction's status after the change. */
  readonly status: TransactionStatus
  readonly createdAtMs: number
  /** How often it was sent. */
  readonly attempts: number
}

export interface DeliveryAttempt {
  readonly atMs: number
  readonly statusCode: number | undefined
  /** Why there was no response. */
  readonly error: string | undefined
  readonly durationMs: number
  /** The first bytes of the response. */
  readonly responseExcerpt: string
}

/** A notification with its deliveries. */
export interface NotificationDetails {
  readonly notification: Notification
  /**
   * `waiting-for-search`: acknowledged, but a COMPLETE transaction must also be searched
   * (specification, section 6.1). `held`: the store has failed for long, and gets one notification
   * every interval until it acknowledges one.
   */
  readonly state: 'waiting' | 'waiting-for-search' | 'held' | 'done'
  /** Undefined when `done` or `held`. */
  readonly nextAttemptAtMs: number | undefined
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
}

/** The body of a notification and its media type (specification, section 2.8). */
export interface NotificationMessage {
  readonly contentType: string
  readonly body: string
}

/**
 * The message of a notification.
 * @param isSandbox - Adds `test-mode=true` to the transaction's form.
 */
export function messageOf(notification: Notification, isSandbox: boolean): NotificationMessage {
  const { transactionCode, refundId, refundNature } = notification
  if (refundId !== undefined) {
    const body = {
      'notification-type': 'refund',
      'refund-id': refundId,
      'transaction-id': transactionCode,
    }
    return { contentType: 'application/json', body: JSON.stringify(body) }
  }
  const form = new URLSearchParams({
    'transaction-code': String(transactionCode),
    'notification-type': 'transaction',
    ...(refundNature !== undefined && { 'refund-nature': refundNature }),
    ...(isSandbox && { 'test-mode': 'true' }),
  })
  return { contentType: 'application/x-www-form-urlencoded', body: form.toString() }
}

import type { TransactionStatus } from '@cofre/contracts'
import type { RefundId } from '../refund/refund.js'
import type { TransactionCode } from '../transaction/transaction-code.js'

/**
 * What a notification is about. Its position in the transaction's series of notifications makes it
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
  /** The status that the transaction had come to. */
  readonly status: TransactionStatus
  readonly createdAtMs: number
  /** How often it was sent. */
  readonly attempts: number
}

/** One sending of a notification. */
export interface DeliveryAttempt {
  readonly atMs: number
  readonly statusCode: number | undefined
  /** Why there was no answer. */
  readonly error: string | undefined
  readonly durationMs: number
  /** First bytes of the answer. */
  readonly responseExcerpt: string
}

/** The body of a notification and its media type (specification, section 2.8). */
export interface NotificationMessage {
  readonly contentType: string
  readonly body: string
}

const ACKNOWLEDGED = 200

/**
 * The message of a notification. @param isSandbox - Adds `test-mode=true` to the transaction's
 * form.
 */
export function messageOf(notification: Notification, isSandbox: boolean): NotificationMessage {
  const { transactionCode, refundId } = notification
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
    ...(isSandbox && { 'test-mode': 'true' }),
  })
  return { contentType: 'application/x-www-form-urlencoded', body: form.toString() }
}

/** Names a notification to its receiver: the same in every attempt. */
export function notificationId({ transactionCode, position }: Notification): string {
  return `${transactionCode}-${position}`
}

/** Only 200 acknowledges (specification, section 6.1). */
export function acknowledges({ statusCode }: Pick<DeliveryAttempt, 'statusCode'>): boolean {
  return statusCode === ACKNOWLEDGED
}

/**
 * Whether the store must also search the transaction before its notification rests (specification,
 * section 6.1).
 */
export function awaitsSearch({ status, refundId }: Notification): boolean {
  return status === 'COMPLETE' && refundId === undefined
}

const JITTER = 0.1

/**
 * How long to wait for the next attempt.
 * @param random - From 0 to 1; spreads the attempts by making a pause up to a tenth shorter, never
 * longer.
 */
export function pauseMs(intervalMs: number, random: number): number {
  return Math.round(intervalMs * (1 - JITTER * random))
}

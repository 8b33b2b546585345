import type { DeliveryAttempt, Lane, Notification } from '@cofre/gateway/room'

/** A notification that was claimed for delivery. */
export interface ClaimedNotification extends Notification {
  /**
   * Identifies the claim, since no other claim of this notification ends at this time. By the
   * machine's clock, in epoch milliseconds.
   */
  readonly leaseUntilMs: number
  readonly lane: Lane
}

const ACKNOWLEDGED = 200

/** The id of a notification for its receiver, the same in every attempt. */
export function notificationId({ transactionCode, position }: Notification): string {
  return `${transactionCode}-${position}`
}

/** True only for 200 (specification, section 6.1). */
export function acknowledges({ statusCode }: Pick<DeliveryAttempt, 'statusCode'>): boolean {
  return statusCode === ACKNOWLEDGED
}

/**
 * True if the store must also search the transaction before its notification rests (specification,
 * section 6.1).
 */
export function awaitsSearch({ status, refundId }: Notification): boolean {
  return status === 'COMPLETE' && refundId === undefined
}

/** One POST to a shop. */
export interface OutgoingNotification {
  readonly url: string
  /**
   * `Content-Type`, the signature and the like; the sender itself sets host, length, agent and
   * connection.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Why the response is missing or incomplete. */
export type SendError =
  /** The host is, or resolves only to, addresses that notifications may not reach. */
  | 'address_refused'
  | 'dns_failed'
  | 'connection_failed'
  /** The handshake failed, or the certificate is not valid for the host. */
  | 'tls_failed'
  | 'timeout'
  /** The response is not HTTP, or its head is too large. */
  | 'response_invalid'
  /** The URL or a header cannot be sent. */
  | 'request_invalid'
  /** The store, and its signing secret, no longer exist: nothing was sent. */
  | 'store_unknown'

/** The result of one attempt. */
export interface SendResult {
  /**
   * Set once the head of the response arrived, even if its body broke off, as {@link error} then
   * reports.
   */
  readonly statusCode?: number
  readonly error?: SendError
  readonly durationMs: number
  /**
   * The first KiB of the response's body as one line of text, written by the receiver: escape it.
   */
  readonly responseExcerpt: string
}

/** Delivers notifications. */
export interface NotificationSender {
  /**
   * Makes one attempt over one connection, within a bounded time.
   * @throws the system's error when this process itself could not send, such as without free file
   * descriptors; the receiver is not at fault
   */
  send(notification: OutgoingNotification): Promise<SendResult>
}

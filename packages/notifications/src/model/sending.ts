import type { DeliveryAttempt, Lane, Notification } from '@cofre/gateway/room'

/** A notification that was taken to be delivered. */
export interface ClaimedNotification extends Notification {
  /**
   * Names the claim: no other of this notification ends then. By the machine's clock, in epoch
   * milliseconds.
   */
  readonly leaseUntilMs: number
  readonly lane: Lane
}

const ACKNOWLEDGED = 200

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

/** One POST to a shop. */
export interface OutgoingNotification {
  readonly url: string
  /**
   * `Content-Type`, the signature and the like; host, length, agent and connection are the sender's
   * own.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Why there is no response, or no whole one. */
export type SendError =
  /** The host is or resolves only to addresses that notifications may not reach. */
  | 'address_refused'
  | 'dns_failed'
  | 'connection_failed'
  /** The handshake failed or the certificate does not hold for the host. */
  | 'tls_failed'
  | 'timeout'
  /** What came is not HTTP, or its head is too large. */
  | 'response_invalid'
  /** The URL or a header cannot be sent. */
  | 'request_invalid'
  /** The store is not there any more, and with it the secret that signs: nothing was sent. */
  | 'store_unknown'

/** What came of one attempt. */
export interface SendResult {
  /**
   * As soon as the head of the response arrived, even when its body then broke off: {@link error}
   * tells.
   */
  readonly statusCode?: number
  readonly error?: SendError
  readonly durationMs: number
  /**
   * The first KiB of the response's body as one line of text. It was written by the receiver:
   * escape it.
   */
  readonly responseExcerpt: string
}

/** Delivers notifications. */
export interface NotificationSender {
  /**
   * Makes one attempt over one connection, within a bounded time.
   * @throws the system's error when this process itself could not send, as without free file
   * descriptors: no fault of the receiver's
   */
  send(notification: OutgoingNotification): Promise<SendResult>
}

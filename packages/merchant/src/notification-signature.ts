import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts/shop'
import { type Notification, parseNotification } from './notification.js'

const TOLERANCE_MS = 5 * MINUTE_MS

/** `request.headers` of the Fetch API or of `node:http` (names in lower case). */
export type NotificationHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A notification as it arrived, and what it is judged by. */
export interface SignedNotification {
  readonly headers: NotificationHeaders
  /** Exactly as received: a body that was parsed and written again has another signature. */
  readonly body: string | Uint8Array
  /** The store's secret, the one that signs requests. */
  readonly secret: string
  /** How far the time of sending may be from now, either way; default 300,000. */
  readonly toleranceMs?: number
  /** Default: the current time. */
  readonly now?: Date
}

/**
 * Reads a notification only if the service signed it (Standard Webhooks form, HMAC-SHA256 with the
 * store's secret) a short while ago; undefined otherwise. It can still arrive twice, or late: read
 * the transaction to learn what changed.
 * @throws TypeError when the secret is empty, since anyone could then sign
 */
export function verifyNotification(signed: SignedNotification): Notification | undefined {
  const { headers, body, secret, toleranceMs = TOLERANCE_MS, now = new Date() } = signed
  if (secret === '') throw new TypeError('the secret is empty')
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now.getTime() - Number(timestamp) * SECOND_MS) > toleranceMs) return undefined
  const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body)
  if (!hasSignature(header(headers, 'webhook-signature'), hmac.digest())) return undefined
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  return parseNotification(header(headers, 'content-type'), text)
}

/** Several are there while the secret is being changed, and one of them has to hold. */
function hasSignature(signatures: string, expected: Buffer): boolean {
  return signatures.split(' ').some((signature) => {
    const base64 = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature)?.[1]
    return base64 !== undefined && timingSafeEqual(Buffer.from(base64, 'base64'), expected)
  })
}

function header(headers: NotificationHeaders, name: string): string {
  if (isFetchHeaders(headers)) return headers.get(name) ?? ''
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function isFetchHeaders(
  headers: NotificationHeaders,
): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

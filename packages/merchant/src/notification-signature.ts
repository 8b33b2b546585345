import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EventMessage } from '@cofre/contracts'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts/shop'
import { requireDate, requireNumber, requireObject, requireText, refuse } from './arguments.js'
import { type NotificationBody, bytesOf } from './notification.js'
import { type Notification, parseNotification } from './notification.js'

const TOLERANCE_MS = 5 * MINUTE_MS

type HeaderValue = string | readonly string[] | undefined

/**
 * Headers by names in any case: of the Fetch API or `node:http` (`rawHeaders` too), a Map, pairs,
 * an object of texts or lists, or an object with `get(name)`.
 */
export type NotificationHeaders =
  | Iterable<string | readonly [name: string, value: HeaderValue]>
  | Readonly<Record<string, HeaderValue>>
  | AskedHeaders

interface AskedHeaders {
  get(name: string): HeaderValue | null
}

/** A notification as received, and the values to verify it with. */
export interface SignedNotification {
  readonly headers: NotificationHeaders
  readonly body: NotificationBody
  /** The store's secret, the one that signs requests. */
  readonly secret: string
  /** The greatest difference between the time of sending and now, either way; default 300,000. */
  readonly toleranceMs?: number
  /** Default: the current time. */
  readonly now?: Date
}

/**
 * Reads a notification only if the service signed it recently (Standard Webhooks form, HMAC-SHA256
 * with the store's secret); undefined otherwise. It can still arrive twice, or late: read the
 * transaction to learn what changed.
 * @throws TypeError that names a missing or wrong value: with an empty secret anyone could sign
 */
export function verifyNotification(signed: SignedNotification): Notification | undefined {
  const verified = verifiedOf(signed, (secret) => secret)
  return verified && parseNotification(verified.contentType, verified.bytes)
}

/** An event, and its code: handle each once. */
export interface VerifiedEvent extends EventMessage {
  readonly code: string
}

const EVENT_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/**
 * Reads an event only if the service signed it recently (Standard Webhooks); undefined otherwise.
 * @param signed - With the endpoint's secret: `whsec_…`.
 * @throws TypeError that names a missing or wrong value
 */
export function verifyEvent(signed: SignedNotification): VerifiedEvent | undefined {
  const verified = verifiedOf(signed, (secret) => {
    const base64 = EVENT_SECRET.exec(secret)?.[1]
    return base64 === undefined
      ? refuse('secret', 'the secret of an endpoint, which begins with whsec_', secret)
      : Buffer.from(base64, 'base64')
  })
  if (verified === undefined) return undefined
  // The service itself has written it.
  const message = JSON.parse(Buffer.from(verified.bytes).toString()) as EventMessage
  return { code: verified.id, ...message }
}

function verifiedOf(signed: SignedNotification, keyOf: (secret: string) => string | Buffer) {
  requireObject('signed', signed)
  const { headers, body, secret, toleranceMs = TOLERANCE_MS, now = new Date() } = signed
  requireText('secret', secret)
  const key = keyOf(secret)
  // With NaN as tolerance or time, every timestamp would pass.
  requireNumber('toleranceMs', toleranceMs)
  requireDate('now', now)
  requireHeaders(headers)
  const bytes = bytesOf(body)
  const header = reader(headers)
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now.getTime() - Number(timestamp) * SECOND_MS) > toleranceMs) return undefined
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes)
  if (!hasSignature(header('webhook-signature'), hmac.digest())) return undefined
  return { id, bytes, contentType: header('content-type') }
}

function requireHeaders(headers: unknown): void {
  if (typeof headers !== 'object' || headers === null)
    refuse('headers', 'the headers as received', headers)
}

/** There are several while the secret is rotated; one of them must match. */
function hasSignature(signatures: string, expected: Buffer): boolean {
  return signatures.split(' ').some((signature) => {
    const base64 = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature)?.[1]
    return base64 !== undefined && timingSafeEqual(Buffer.from(base64, 'base64'), expected)
  })
}

function reader(headers: NotificationHeaders): (name: string) => string {
  if (!(Symbol.iterator in headers) && hasGet(headers))
    return (name) => headerText(headers.get(name))
  const texts = pairsOf(headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    headerText(value),
  ])
  const byName = new Map(texts)
  return (name) => byName.get(name) ?? ''
}

function hasGet(headers: object): headers is AskedHeaders {
  return 'get' in headers && typeof headers.get === 'function'
}

function pairsOf(headers: object): readonly (readonly [name: string, value: unknown])[] {
  if (!(Symbol.iterator in headers)) return Object.entries(headers)
  const listed = [...(headers as Iterable<string | readonly [string, unknown]>)]
  // `rawHeaders` alternates names and values.
  return listed.flatMap((one, at) => {
    if (typeof one !== 'string') return [one]
    return at % 2 === 0 ? [[one, listed[at + 1]] as const] : []
  })
}

/** A repeated header counts as empty. A queue may have turned digits into numbers. */
function headerText(value: unknown): string {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  return typeof single === 'string' || typeof single === 'number' ? String(single) : ''
}

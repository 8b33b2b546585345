import { types } from 'node:util'

/** A body exactly as received: one that was parsed and serialized again has another signature. */
export type NotificationBody = string | ArrayBuffer | ArrayBufferView

/** @throws TypeError for anything but text or bytes, because a parser has read it before */
export function bytesOf(body: NotificationBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  // Not `instanceof`: a test runner or an isolate has another realm.
  if (types.isAnyArrayBuffer(body)) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  throw new TypeError(
    'the body is neither a string nor bytes as received: read the raw body, before a parser of forms or JSON does',
  )
}

/**
 * The service's message to a shop (specification, section 2.8). It only reports that something
 * changed: read the transaction to learn what. It comes at least once, and again every ten minutes
 * until the shop answers 200. After a COMPLETE, it comes until the shop has also read the
 * transaction.
 */
export type Notification =
  | {
      readonly kind: 'transaction'
      readonly transactionCode: string
      /** Why a bank returned a PIX by itself, such as `MED_FRAUDE`; absent otherwise. */
      readonly refundNature?: string
    }
  | {
      readonly kind: 'refund'
      readonly transactionCode: string
      readonly refundId: string
    }

/** Longest identifier of the service (specification, section 2.3). */
const IDENTIFIER = /^[A-Za-z0-9-]{1,36}$/
const NATURE = /^[A-Z_]{1,36}$/

/**
 * Reads the body of a notification, a form (transaction) or JSON (refund); undefined if it is
 * neither. Anyone can post one, so believe only what `findTransaction` returns.
 * `verifyNotification` reads only those that the service signed, which spares the shop that call
 * for the others.
 * @throws TypeError for a body that was parsed before
 */
export function parseNotification(
  contentType: string,
  body: NotificationBody,
): Notification | undefined {
  const text = new TextDecoder().decode(bytesOf(body))
  const isJson = /^application\/json\b/i.test(contentType)
  const fields = isJson ? jsonFields(text) : new Map(new URLSearchParams(text))
  const [transactionCode, refundId] = isJson
    ? [fields.get('transaction-id'), fields.get('refund-id')]
    : [fields.get('transaction-code'), undefined]
  if (transactionCode === undefined || !IDENTIFIER.test(transactionCode)) return undefined
  const kind = fields.get('notification-type')
  const nature = fields.get('refund-nature') ?? ''
  if (kind === 'transaction')
    return { kind, transactionCode, ...(NATURE.test(nature) && { refundNature: nature }) }
  if (kind !== 'refund' || refundId === undefined || !IDENTIFIER.test(refundId)) return undefined
  return { kind, transactionCode, refundId }
}

/** No object: its own `toString` may not be a function. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

function jsonFields(body: string): Map<string, string> {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null) return new Map()
    const texts = Object.entries(parsed).filter(([, value]) => isText(value))
    return new Map(texts.map(([name, value]) => [name, String(value)]))
  } catch {
    // Not JSON, so not a notification.
    return new Map()
  }
}

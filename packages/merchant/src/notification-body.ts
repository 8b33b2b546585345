/** A body exactly as received: one that was parsed and written again has another signature. */
export type NotificationBody = string | ArrayBuffer | ArrayBufferView

/** @throws TypeError for what is neither text nor bytes, since a parser has read it before */
export function bytesOf(body: NotificationBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  throw new TypeError(
    'the body is neither a string nor bytes as received: read the raw body, before a parser of forms or JSON does',
  )
}

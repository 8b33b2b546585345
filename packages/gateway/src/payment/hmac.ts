import { type KeyObject, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@cofre/contracts'

/** Creating a key takes ten times as long as signing, and a store's secret stays the same. */
const keys = new WeakMap<Secret<string>, KeyObject>()

/**
 * True if a secret has signed one of the messages. Compares each of them in constant time, so that
 * the time does not show which one it was.
 */
export function isSignedBy(
  secret: Secret<string>,
  messages: readonly string[],
  given: Uint8Array,
): boolean {
  return messages.filter((message) => timingSafeEqual(hmacBy(secret, message), given)).length > 0
}

/** The HMAC-SHA256 of a text, keyed with a store's secret. */
function hmacBy(secret: Secret<string>, text: string): Buffer {
  const key = keys.get(secret) ?? createSecretKey(secret.reveal(), 'utf8')
  keys.set(secret, key)
  return createHmac('sha256', key).update(text).digest()
}

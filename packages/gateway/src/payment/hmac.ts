import { type KeyObject, createHmac, createSecretKey } from 'node:crypto'
import type { Secret } from '@cofre/contracts'

/** Creating a key takes ten times as long as signing, and a store's secret stays the same. */
const keys = new WeakMap<Secret<string>, KeyObject>()

/** The HMAC-SHA256 of a text, keyed with a store's secret. */
export function hmacBy(secret: Secret<string>, text: string): Buffer {
  const key = keys.get(secret) ?? createSecretKey(secret.reveal(), 'utf8')
  keys.set(secret, key)
  return createHmac('sha256', key).update(text).digest()
}

import { createSecretKey, randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { type SealContext, SealError, type SealedText, type SealingKey } from './sealed-value.js'
import { open, sealedBy } from './sealed-value.js'

const KEY_BYTES = 32
const KEY_ID_BYTES = 4
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/

/** The key-encryption keys: the first seals, all of them open. They never touch card data, only data and session keys. */
export interface KeyRing {
  readonly current: SealingKey
  readonly keys: ReadonlyMap<string, SealingKey>
}

/** A key ring's text is wrong. The message never holds a part of a key. */
export class KeyRingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'KeyRingError'
  }
}

/**
 * Reads `id:key,id:key`, the current key first; a key is 32 bytes in base64url without padding.
 * @throws KeyRingError
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.trim().split(',')
  const keys = entries.map((entry, index) => parseKey(entry.trim(), index + 1))
  const byId = new Map(keys.map((key) => [key.id, key]))
  if (byId.size < keys.length) throw new KeyRingError('two keys have the same id')
  const [current] = keys
  if (current === undefined) throw new KeyRingError('there is no key')
  return { current, keys: byId }
}

function parseKey(entry: string, position: number): SealingKey {
  const separator = entry.indexOf(':')
  const id = entry.slice(0, Math.max(separator, 0))
  const text = entry.slice(separator + 1)
  if (!KEY_ID.test(id))
    throw new KeyRingError(`key ${position} is not id:key, with an id of letters, digits, - and _`)
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== KEY_BYTES || bytes.toString('base64url') !== text)
    throw new KeyRingError(`key ${position} is not ${KEY_BYTES} bytes in base64url without padding`)
  return { id, key: new Secret(createSecretKey(bytes)) }
}

/** The text of a key ring with one new random key. */
export function generateKeyRing(): string {
  const id = randomBytes(KEY_ID_BYTES).toString('hex')
  return `${id}:${randomBytes(KEY_BYTES).toString('base64url')}`
}

/** Opens with the key that sealed, current or not. @throws SealError */
export function openWithRing(ring: KeyRing, sealed: SealedText, context: SealContext): Buffer {
  const key = ring.keys.get(sealedBy(sealed))
  if (key === undefined) throw new SealError()
  return open(key, sealed, context)
}

import { createSecretKey, randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import type { KeyEncryption } from './key-encryption.js'
import { SealError, type SealingKey, open, seal, sealedBy } from './sealed-value.js'

const KEY_BYTES = 32
const KEY_ID_BYTES = 4
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/

/** Key-encryption keys held in memory: the first wraps, all of them unwrap. */
export interface KeyRing extends KeyEncryption {
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
 * @param keys - The current one first. @throws KeyRingError without a key, or if two have one id
 */
export function createKeyRing(keys: readonly SealingKey[]): KeyRing {
  const byId = new Map(keys.map((key) => [key.id, key]))
  if (byId.size < keys.length) throw new KeyRingError('two keys have the same id')
  const [current, ...others] = keys
  if (current === undefined) throw new KeyRingError('there is no key')
  return {
    current,
    keys: byId,
    wrap: (dataKey, context) => Promise.resolve(seal(current, dataKey, context)),
    // Async, so that what does not open rejects and never throws.
    // oxlint-disable-next-line typescript/require-await
    async unwrap(wrapped, context) {
      const key = byId.get(sealedBy(wrapped))
      if (key === undefined) throw new SealError()
      return open(key, wrapped, context)
    },
    keyIds: () => Promise.resolve([current.id, ...others.map(({ id }) => id)]),
  }
}

/**
 * Reads `id:key,id:key`, the current key first; a key is 32 bytes in base64url without padding.
 * @throws KeyRingError
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.trim().split(',')
  return createKeyRing(entries.map((entry, index) => parseKey(entry.trim(), index + 1)))
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

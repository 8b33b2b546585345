import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
} from 'node:crypto'
import { type Brand, type Environment, Secret } from '@cofre/contracts'

/**
 * AES-256-GCM (NIST SP 800-38D), as text: `v1.<key id>.<iv>.<ciphertext and tag>`, the last two
 * base64url.
 */
export type SealedText = Brand<string, 'SealedText'>

export interface SealingKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string
  readonly key: Secret<KeyObject>
}

/** The record that a sealed value belongs to: in another record, it does not open. */
export interface SealContext {
  readonly purpose:
    | 'session'
    | 'data-key'
    | 'direct-token'
    | 'authorization'
    | 'authentication-action'
    | 'authentication-result'
    | 'saved-card'
    | 'provider-account'
  readonly recordId: string
  readonly environment?: Environment
  readonly merchantId?: string
}

/** A sealed value does not open: wrong key, wrong record, changed or malformed text. */
export class SealError extends Error {
  constructor() {
    super('a sealed value does not open')
    this.name = 'SealError'
  }
}

const FORMAT = 'v1'
const CIPHER = 'aes-256-gcm'
// 96 random bits are safe for 2^32 values under one key (SP 800-38D 8.3).
const IV_BYTES = 12
const TAG_BYTES = 16

/** Seals a value for one record. Synchronous, so that a transaction can call it. */
export function seal(
  key: SealingKey,
  value: string | Uint8Array,
  context: SealContext,
): SealedText {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key.key.reveal(), iv).setAAD(associatedData(key, context))
  const head = typeof value === 'string' ? cipher.update(value, 'utf8') : cipher.update(value)
  const sealed = Buffer.concat([head, cipher.final(), cipher.getAuthTag()])
  return `${FORMAT}.${key.id}.${iv.toString('base64url')}.${sealed.toString('base64url')}` as SealedText
}

/** Opens a value sealed for this record by this key. @throws SealError */
export function open(key: SealingKey, sealed: SealedText, context: SealContext): Buffer {
  const [format, keyId, iv = '', body = ''] = sealed.split('.')
  if (format !== FORMAT || keyId !== key.id) throw new SealError()
  try {
    const bytes = Buffer.from(body, 'base64url')
    const decipher = createDecipheriv(CIPHER, key.key.reveal(), Buffer.from(iv, 'base64url'), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(associatedData(key, context)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    // Without a cause: the reason why a value does not open stays secret.
    throw new SealError()
  }
}

/**
 * A key that can only be derived from both the key and the secret (HMAC as a pseudorandom
 * function).
 */
export function bindKey({ id, key }: SealingKey, secret: string): SealingKey {
  const derived = createHmac('sha256', key.reveal()).update(secret).digest()
  return { id, key: new Secret(createSecretKey(derived)) }
}

/** The id of the key that sealed the value. */
export function sealedBy(sealed: SealedText): string {
  return sealed.split('.')[1] ?? ''
}

function associatedData(key: SealingKey, context: SealContext): Buffer {
  const { purpose, environment = '', merchantId = '', recordId } = context
  return Buffer.from(JSON.stringify([purpose, environment, merchantId, recordId, key.id]))
}

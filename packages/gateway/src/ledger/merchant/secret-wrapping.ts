import { type KeyObject, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type Environment, Secret } from '@cofre/contracts'

/** A key that wraps secrets: AES-256. */
export interface SecretKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string
  readonly key: Secret<KeyObject>
}

/** A secret that does not open: its key is missing, or the database was changed. */
export class StoreSecretError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreSecretError'
  }
}

/** The purpose of secrets, to which each one is bound. */
export type SecretPurpose =
  | 'store-secret'
  | 'provider-account'
  | 'person-totp'
  | 'digest-key'
  | 'event-endpoint'

const SECRETS_OF: Readonly<Record<SecretPurpose, string>> = {
  'store-secret': 'the secret of the store',
  'provider-account': 'the credentials of the account',
  'person-totp': 'the authenticator of the person',
  'digest-key': 'the key of the digests of',
  'event-endpoint': 'the secret of the endpoint',
}

/**
 * Wraps the secrets of stores, of their accounts with providers and of people's authenticators for
 * the database. Hashes cannot replace them: only the secret itself checks a request's HMAC or an
 * authenticator's code, and a bank needs its credentials. A wrapped secret is bound to its purpose,
 * environment and record: moved to another, it does not open.
 */
export interface SecretWrapping {
  /** @param record - The secret's owner: the store, the store and its account, or the person. */
  wrap(record: string, secret: Secret<string>): string
  /** @throws StoreSecretError */
  unwrap(record: string, wrapped: string): Secret<string>
  /** True if a text is a secret in the clear, or wrapped by a key that is not the current one. */
  isOutdated(text: string): boolean
  /**
   * The secret of a text that may still be in the clear, as all once were. @throws StoreSecretError
   */
  read(record: string, text: string): Secret<string>
}

const FORMAT = 'wrapped-v1'
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Unwrapping takes longer than the rest of a search, and each request of a store needs it. */
const REMEMBERED_MAX = 1000

/** @param keys - The first wraps; the others open what they wrapped before. */
export function createSecretWrapping(
  environment: Environment,
  keys: readonly [SecretKey, ...SecretKey[]],
  purpose: SecretPurpose = 'store-secret',
): SecretWrapping {
  const [current] = keys
  const dataOf = (record: string, keyId: string): Buffer =>
    Buffer.from(JSON.stringify([purpose, environment, record, keyId]))

  const open = (record: string, wrapped: string): Secret<string> => {
    const [, keyId = '', iv = '', body = ''] = wrapped.split('.')
    const found = keys.find(({ id }) => id === keyId)
    if (!isWrappedSecret(wrapped))
      throw new StoreSecretError(`no gateway key has wrapped ${SECRETS_OF[purpose]} ${record}`)
    if (found === undefined)
      throw new StoreSecretError(
        `${SECRETS_OF[purpose]} ${record} needs the gateway key ${keyId}: restore it from its backup; if it is lost, see docs/incidents.md`,
      )
    try {
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv(CIPHER, found.key.reveal(), Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(dataOf(record, keyId)).setAuthTag(bytes.subarray(-TAG_BYTES))
      const opened = [decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]
      return new Secret(Buffer.concat(opened).toString())
    } catch {
      throw new StoreSecretError(
        `${SECRETS_OF[purpose]} ${record} does not open: the gateway key ${keyId} is another one, or the database was changed`,
      )
    }
  }

  const unwrap = remembering(open)
  return {
    wrap(record, secret) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, current.key.reveal(), iv).setAAD(
        dataOf(record, current.id),
      )
      const body = Buffer.concat([
        cipher.update(secret.reveal(), 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `${FORMAT}.${current.id}.${iv.toString('base64url')}.${body.toString('base64url')}`
    },
    unwrap,
    isOutdated: (text) => !text.startsWith(`${FORMAT}.${current.id}.`),
    read: (record, text) => (isWrappedSecret(text) ? unwrap(record, text) : new Secret(text)),
  }
}

/**
 * Remembers secrets by record and wrapped text: a rotated secret has another text. The store's
 * right to sign is not remembered, but read from its row each time.
 */
function remembering(open: SecretWrapping['unwrap']): SecretWrapping['unwrap'] {
  const remembered = new Map<string, Secret<string>>()
  return (record, wrapped) => {
    const entry = `${record} ${wrapped}`
    const known = remembered.get(entry)
    if (known !== undefined) return known
    const secret = open(record, wrapped)
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    remembered.set(entry, secret)
    return secret
  }
}

/** True if a stored secret needs a key to be opened. */
export function isWrappedSecret(text: string): boolean {
  return text.startsWith(`${FORMAT}.`)
}

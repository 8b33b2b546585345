import { randomBytes, subtle, type webcrypto } from 'node:crypto'
import { MINUTE_MS, Secret, type SessionPublicKey } from '@cofre/contracts'
import type { SealContext, SealedText } from '../keys/sealed-value.js'

export const SESSION_LIFETIME_MS: number = 15 * MINUTE_MS
const SESSION_ID_BYTES = 16 // 128 bits: nobody guesses another page's session

/** A session as the vault keeps it. */
export interface Session {
  readonly id: string
  readonly sealedPrivateKey: SealedText
  /**
   * The same key ready to use, perhaps, where sessions never leave the process that opened them.
   */
  readonly privateKey?: webcrypto.CryptoKey
  readonly expiresAtMs: number
}

/** An EC JWK with its private half. */
export interface SessionPrivateKey extends SessionPublicKey {
  readonly d: string
}

export interface SessionKeyPair {
  readonly publicKey: SessionPublicKey
  readonly privateKey: webcrypto.CryptoKey
  /** The private key as text can hold it. */
  readonly privateJwk: Secret<SessionPrivateKey>
}

export function generateSessionId(): string {
  return randomBytes(SESSION_ID_BYTES).toString('base64url')
}

/** What this refuses no database is asked for: PostgreSQL would fail at a text that holds NUL. */
export function isSessionId(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}

export async function generateSessionKeyPair(): Promise<SessionKeyPair> {
  const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const { x, y, d } = await subtle.exportKey('jwk', pair.privateKey)
  if (x === undefined || y === undefined || d === undefined) throw new Error('no key was generated')
  const publicKey = { kty: 'EC', crv: 'P-256', x, y } as const
  return {
    publicKey,
    privateKey: pair.privateKey,
    privateJwk: new Secret({ ...publicKey, d }),
  }
}

export function sessionContext(id: string): SealContext {
  return { purpose: 'session', recordId: id }
}

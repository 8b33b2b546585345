import { type KeyObject, generateKeyPairSync, randomBytes } from 'node:crypto'
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
  readonly privateKey?: KeyObject
  readonly expiresAtMs: number
}

/** An EC JWK with its private half. */
export interface SessionPrivateKey extends SessionPublicKey {
  readonly d: string
}

export interface SessionKeyPair {
  readonly publicKey: SessionPublicKey
  readonly privateKey: KeyObject
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

/** Takes some 50 us: with Web Crypto it would be twice that, for pages of which few buy. */
export function generateSessionKeyPair(): SessionKeyPair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y, d } = privateKey.export({ format: 'jwk' })
  if (x === undefined || y === undefined || d === undefined) throw new Error('no key was generated')
  const publicKey = { kty: 'EC', crv: 'P-256', x, y } as const
  return {
    publicKey,
    privateKey,
    privateJwk: new Secret({ ...publicKey, d }),
  }
}

export function sessionContext(id: string): SealContext {
  return { purpose: 'session', recordId: id }
}

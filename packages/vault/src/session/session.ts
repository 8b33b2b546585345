import { type KeyObject, generateKeyPairSync, randomBytes } from 'node:crypto'
import { MINUTE_MS, Secret, type SessionPublicKey } from '@cofre/contracts'
import type { SealContext, SealedText } from '../keys/sealed-value.js'

export const SESSION_LIFETIME_MS: number = 15 * MINUTE_MS
const SESSION_ID_BYTES = 16 // 128 bits: another page's session can't be guessed

export interface Session {
  readonly id: string
  readonly sealedPrivateKey: SealedText
  /** The same key, ready to use. Only in stores whose sessions never leave their process. */
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
  /** The private key in a form that text can hold. */
  readonly privateJwk: Secret<SessionPrivateKey>
}

export function generateSessionId(): string {
  return randomBytes(SESSION_ID_BYTES).toString('base64url')
}

/** The database isn't asked for a text that this refuses: PostgreSQL would fail on NUL. */
export function isSessionId(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}

/** Takes about 50 us: with Web Crypto it would be twice that, for pages of which few buy. */
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

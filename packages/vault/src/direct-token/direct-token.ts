import { hash } from 'node:crypto'
import {
  type CardDetails,
  DIRECT_TOKEN_ALG,
  DIRECT_TOKEN_ENC,
  DIRECT_TOKEN_FORM,
  DIRECT_TOKEN_LENGTH_MAX,
  DIRECT_TOKEN_LIFETIME_MINUTES,
  type DirectTokenPayload,
  MINUTE_MS,
  Secret,
  type SecurityCodePayload,
} from '@cofre/contracts'
import type { VaultTables } from '../database/vault-tables.js'
import type { SealContext } from '../keys/sealed-value.js'
import { isSessionId } from '../session/session.js'

export const DIRECT_TOKEN_LIFETIME_MS: number = DIRECT_TOKEN_LIFETIME_MINUTES * MINUTE_MS

/**
 * A deposited token at rest. The vault keeps its digest, never the token; a spent one has no card.
 */
export type DirectToken = VaultTables['direct_tokens']

interface OfStore {
  /** The only store that may pay with it; undefined for any store. */
  readonly store: string | undefined
}

export interface DepositedCard extends OfStore {
  readonly kind: 'card'
  readonly card: Secret<CardDetails>
}

/** The security code of a saved card. */
export interface DepositedCode extends OfStore {
  readonly kind: 'security-code'
  readonly code: Secret<string>
}

export type Deposited = DepositedCard | DepositedCode

/** The session in a token's header; undefined if the library makes no such token. */
export function sessionIdOf(token: string): string | undefined {
  if (token.length > DIRECT_TOKEN_LENGTH_MAX || !DIRECT_TOKEN_FORM.test(token)) return undefined
  const [encodedHeader = ''] = token.split('.', 1)
  const header = parseObject(Buffer.from(encodedHeader, 'base64url'))
  if (header === undefined || !hasOnly(header, ['alg', 'enc', 'kid', 'epk'])) return undefined
  // So zip, crit, apu and apv are refused without being named.
  const { alg, enc, kid, epk } = header
  const accepted = alg === DIRECT_TOKEN_ALG && enc === DIRECT_TOKEN_ENC && isPublicKey(epk)
  return accepted && typeof kid === 'string' && isSessionId(kid) ? kid : undefined
}

function isPublicKey(value: unknown): boolean {
  if (!isObject(value) || !hasOnly(value, ['kty', 'crv', 'x', 'y'])) return false
  const { kty, crv, x, y } = value
  return kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string'
}

/**
 * Reads a decrypted token; undefined if it is not exactly a card, or a security code alone, and an
 * optional store.
 */
export function parsePayload(plaintext: Uint8Array): Deposited | undefined {
  const payload = parseObject(plaintext)
  if (payload === undefined) return undefined
  const { number, cvv, month, year, store, ...unknown } = payload
  if (Object.keys(unknown).length > 0) return undefined
  if (typeof cvv !== 'string') return undefined
  if (store !== undefined && (typeof store !== 'string' || store === '')) return undefined
  if (number === undefined && month === undefined && year === undefined)
    return { kind: 'security-code', code: new Secret(cvv), store }
  if (typeof number !== 'string') return undefined
  if (typeof month !== 'string' || typeof year !== 'string') return undefined
  return { kind: 'card', card: new Secret({ number, cvv, month, year }), store }
}

export function serializePayload({ store, ...deposited }: Deposited): string {
  const secret =
    deposited.kind === 'card' ? deposited.card.reveal() : { cvv: deposited.code.reveal() }
  const payload: DirectTokenPayload | SecurityCodePayload = {
    ...secret,
    ...(store !== undefined && { store }),
  }
  return JSON.stringify(payload)
}

export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

export function directTokenContext(digest: string): SealContext {
  return { purpose: 'direct-token', recordId: digest }
}

// Without options, decoding keeps no state from one text to the next.
const UTF8 = new TextDecoder('utf-8', { fatal: true })

function parseObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(UTF8.decode(bytes))
    return isObject(value) ? value : undefined
  } catch {
    // Not the parser's error: it quotes the text, and the text may be a card.
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(value: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name))
}

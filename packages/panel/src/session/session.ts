import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { HOUR_MS } from '@cofre/contracts'

export const SESSION_LIFETIME_MS = 12 * HOUR_MS
export const SESSION_ID_BYTES = 32

/** A developer who has signed in for a store. */
export interface Session {
  /** SHA-256 of the id that only the browser's cookie has. */
  readonly idHash: string
  readonly storeId: string
  readonly expiresAtMs: number
}

export function hashSessionId(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

/** What a form of a browser must send: nobody can tell it without the browser's cookie. */
export function csrfTokenOf(cookieId: string): string {
  return createHmac('sha256', cookieId).update('cofre panel form').digest('base64url')
}

export function isCsrfToken(token: string, cookieId: string): boolean {
  const expected = Buffer.from(csrfTokenOf(cookieId))
  const sent = Buffer.from(token)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

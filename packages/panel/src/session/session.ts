import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import type { SignIn } from '@cofre/sandbox'

export const SESSION_LIFETIME_MS = 12 * HOUR_MS
/** A session that nobody uses for so long has ended. */
export const SESSION_IDLE_MS = HOUR_MS
/** How exactly the time of a session's last use is kept. */
export const SESSION_USE_STEP_MS = MINUTE_MS
const ID_BYTES = 32

/** A developer who has signed in for a store. */
export interface Session extends SignIn {
  /** SHA-256 of the id that only the browser's cookie has. */
  readonly idHash: string
  readonly expiresAtMs: number
  /** When somebody last used it, or up to a minute before. */
  readonly usedAtMs: number
}

export function drawId(): string {
  return randomBytes(ID_BYTES).toString('base64url')
}

export function isDrawnId(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
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

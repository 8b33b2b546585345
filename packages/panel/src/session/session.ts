import { HOUR_MS } from '@cofre/contracts'
import type { SignIn } from './store-secret.js'

export const SESSION_LIFETIME_MS = 12 * HOUR_MS

/** A developer who has signed in for a store. */
export interface Session extends SignIn {
  /** SHA-256 of the id that only the browser's cookie has. */
  readonly idHash: string
  readonly expiresAtMs: number
  /** When somebody last used it, or up to a minute before. */
  readonly usedAtMs: number
}

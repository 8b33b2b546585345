import type { Environment, SavedCardSummary } from '@cofre/contracts'
import type { Authorization, AuthorizationKey, KnownOutcome } from './authorization.js'

export interface AuthorizationReader {
  find(environment: Environment, transactionCode: string): Promise<Authorization | undefined>
}

export interface AuthorizationStore extends AuthorizationReader {
  /** Takes the key for an order that never arrived, so that it never will; false when the key is taken. */
  insertVoid(key: AuthorizationKey, atMs: number): Promise<boolean>
  /** Stores the outcome and erases the card; true for exactly one caller, even when called concurrently. */
  settle(key: AuthorizationKey, outcome: KnownOutcome): Promise<boolean>
  /** Remembers the saved card that the order is answered with. */
  recordSavedCard(key: AuthorizationKey, savedCard: SavedCardSummary): Promise<void>
}

import type { AuditEntry } from './audit/audit-entry.js'
import type { AuditReader, AuditStore } from './audit/audit-store.js'
import type {
  AuthorizationReader,
  AuthorizationStore,
} from './authorization/authorization-store.js'
import type {
  AuthorizationKey,
  KnownOutcome,
  OpenAuthorization,
} from './authorization/authorization.js'
import type { DirectTokenReader, DirectTokenStore } from './direct-token/direct-token-store.js'
import type { DataKeyReader, DataKeyStore } from './keys/data-key-store.js'
import type { SavedCardReader, SavedCardStore } from './saved-card/saved-card-store.js'
import type { Session } from './session/session.js'
import type { SessionReader, SessionStore } from './session/session-store.js'

/** What may be read outside a unit of work: all that is committed. */
interface VaultReader {
  readonly dataKeys: DataKeyReader
  readonly sessions: SessionReader
  readonly directTokens: DirectTokenReader
  readonly authorizations: AuthorizationReader
  readonly savedCards: SavedCardReader
  readonly audit: AuditReader
}

/** The stores inside one unit of work. */
export interface VaultUnit {
  readonly dataKeys: DataKeyStore
  readonly sessions: SessionStore
  readonly directTokens: DirectTokenStore
  readonly authorizations: AuthorizationStore
  readonly savedCards: SavedCardStore
  readonly audit: AuditStore
}

/** What the acquirer answered, and what the audit log says of it. */
export interface AnsweredOutcome {
  readonly outcome: KnownOutcome
  readonly entry: AuditEntry
}

export interface VaultStore {
  readonly reader: VaultReader
  /**
   * Runs a unit of work: all of it, durable once the promise resolves, or nothing when it throws. A unit awaits nothing
   * but its stores. Sessions kept in memory are outside: an erased one stays erased, and the library opens another.
   */
  transact<T>(work: (trx: VaultUnit) => Promise<T>): Promise<T>
  /**
   * Stores an authorization and spends the token that pays for it, if one does; false, and nothing changed, when the
   * authorization's key is taken or the token is spent. True for exactly one caller, even when called concurrently.
   */
  beginAuthorization(authorization: OpenAuthorization, tokenDigest?: string): Promise<boolean>
  /**
   * Stores the outcome of an authorization with what the audit log says of it, and erases the card. True for exactly one
   * caller, even when called concurrently.
   */
  settleAuthorization(key: AuthorizationKey, answered: AnsweredOutcome): Promise<boolean>
  /** Stores a session on its own, without waiting for anything durable. */
  insertSession(session: Session): Promise<void>
}

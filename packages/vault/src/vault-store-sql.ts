import type { Database } from '@cofre/sql'
import type { Kysely } from 'kysely'
import { createAuditStore } from './audit/audit-store-sql.js'
import {
  beginAuthorization,
  createAuthorizationStore,
  settleAuthorization,
} from './authorization/authorization-store-sql.js'
import { createDirectTokenStore } from './direct-token/direct-token-store-sql.js'
import { createDataKeyStore } from './keys/data-key-store-sql.js'
import { createSavedCardStore } from './saved-card/saved-card-store-sql.js'
import type { SessionStore } from './session/session-store.js'
import { createSqlSessionStore } from './session/session-store-sql.js'
import type { VaultStore, VaultUnit } from './vault-store.js'
import type { VaultTables } from './vault-tables.js'

/** @param memorySessions - Keeps the sessions instead of the database. */
export function createVaultStore(
  database: Database<VaultTables>,
  memorySessions?: SessionStore,
): VaultStore {
  // A connection is used by one unit of work after the other.
  const known = new WeakMap<Kysely<VaultTables>, VaultUnit>()
  const storesOver = (unit: Kysely<VaultTables>): VaultUnit => {
    const stores = known.get(unit) ?? {
      dataKeys: createDataKeyStore(unit),
      sessions: memorySessions ?? createSqlSessionStore(unit),
      directTokens: createDirectTokenStore(unit),
      authorizations: createAuthorizationStore(unit),
      savedCards: createSavedCardStore(unit),
      audit: createAuditStore(unit),
    }
    known.set(unit, stores)
    return stores
  }
  return {
    reader: storesOver(database.reader),
    transact: (work) => database.transact((unit) => work(storesOver(unit))),
    beginAuthorization: (authorization, tokenDigest) =>
      beginAuthorization(database, authorization, tokenDigest),
    settleAuthorization: (key, answered) => settleAuthorization(database, key, answered),
    insertSession: (session) =>
      memorySessions === undefined
        ? database.transact((unit) => createSqlSessionStore(unit).insert(session))
        : memorySessions.insert(session),
  }
}

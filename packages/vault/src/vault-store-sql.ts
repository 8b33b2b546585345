import type { Connection, Database } from '@cofre/sql'
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
  const known = new WeakMap<Connection<VaultTables>, VaultUnit>()
  const storesOver = (trx: Connection<VaultTables>): VaultUnit => {
    const stores = known.get(trx) ?? {
      dataKeys: createDataKeyStore(trx),
      sessions: memorySessions ?? createSqlSessionStore(trx),
      directTokens: createDirectTokenStore(trx),
      authorizations: createAuthorizationStore(trx),
      savedCards: createSavedCardStore(trx),
      audit: createAuditStore(trx),
    }
    known.set(trx, stores)
    return stores
  }
  return {
    reader: storesOver(database.reader),
    transact: (work) => database.transact((trx) => work(storesOver(trx))),
    beginAuthorization: (authorization, tokenDigest) =>
      beginAuthorization(database, authorization, tokenDigest),
    settleAuthorization: (key, answered) => settleAuthorization(database, key, answered),
    insertSession: (session) =>
      memorySessions === undefined
        ? database.transact((trx) => createSqlSessionStore(trx).insert(session))
        : memorySessions.insert(session),
  }
}

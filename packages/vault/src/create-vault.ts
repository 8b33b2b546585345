import type { Clock, Environment, Log } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { createAuditChain } from './audit/audit-service.js'
import { createAuthorize, recallAuthorization } from './authorization/authorization-service.js'
import type { CardAcquirer } from './authorization/card-acquirer.js'
import { depositDirectToken } from './direct-token/direct-token-service.js'
import { createDataKeys } from './keys/data-key-service.js'
import type { KeyEncryption } from './keys/key-encryption.js'
import { activateSavedCard, deleteSavedCard } from './saved-card/saved-card-service.js'
import { openSession } from './session/session-service.js'
import { createMemorySessionStore } from './session/session-store-memory.js'
import type { SessionStore } from './session/session-store.js'
import { sweep } from './sweep-service.js'
import type { Vault } from './vault.js'
import { createVaultStore } from './vault-store-sql.js'
import type { VaultTables } from './vault-tables.js'

/** What a vault is made of. */
export interface VaultDeps {
  /** From `openVaultDatabase`. The caller closes it. */
  readonly database: Database<VaultTables>
  /** Key-encryption keys: a key ring, a key file, or an external KMS behind the same port. */
  readonly keys: KeyEncryption
  readonly acquirers: Readonly<Record<Environment, CardAcquirer>>
  /** Milliseconds that an acquirer has to answer; default 20,000. */
  readonly acquirerTimeoutMs?: number
  readonly clock: Clock
  readonly log: Log
  /** Where sessions live: by default in memory on SQLite, and in an unlogged table on PostgreSQL. */
  readonly memorySessions?: SessionStore
}

/** The vault over its database. It opens no port and starts no timer. */
export function createVault({ database, keys, acquirers, clock, log, ...rest }: VaultDeps): Vault {
  const memorySessions =
    rest.memorySessions ??
    (database.dialect.sharedByProcesses ? undefined : createMemorySessionStore())
  const store = createVaultStore(database, memorySessions)
  const dataKeys = createDataKeys({ store, keys, clock })
  const { acquirerTimeoutMs } = rest
  const deps = { store, dataKeys, acquirers, acquirerTimeoutMs, clock, log }
  const chainAuditLog = createAuditChain(deps)
  return {
    openSession: () => openSession(deps),
    depositDirectToken: (token) => depositDirectToken(deps, token),
    authorize: createAuthorize(deps),
    recallAuthorization: (environment, code) => recallAuthorization(deps, environment, code),
    activateSavedCard: (environment, code) => activateSavedCard(deps, environment, code),
    deleteSavedCard: (environment, merchantId, code) =>
      deleteSavedCard(deps, { environment, merchantId, code }, `store:${merchantId}`),
    sweep: () => sweep({ ...deps, chainAuditLog }),
    rewrapDataKeys: () => dataKeys.rewrapAll(),
  }
}

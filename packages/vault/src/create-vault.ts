import { createAuditChain } from './audit/audit-service.js'
import {
  activateSavedCard,
  createAuthorize,
  recallAuthorization,
} from './authorization/authorization-service.js'
import { oldestOpenCardMs } from './authorization/authorization-sql.js'
import { drawInstallation } from './authorization/card-charge.js'
import type { ChargingDeps } from './authorization/charging-deps.js'
import { eraseOldCards, followUpCharges } from './authorization/charge-upkeep-service.js'
import { forgetDeclines } from './card-testing/card-testing-service.js'
import { type KeyedDatabase, createDataKeys } from './data-key/data-key-service.js'
import { depositDirectToken } from './direct-token/direct-token-service.js'
import { countLiveTokens, eraseExpiredTokens } from './direct-token/direct-token-sql.js'
import type { Vault } from './model/vault.js'
import { deleteSavedCard } from './saved-card/saved-card-service.js'
import { countSavedCards } from './saved-card/saved-card-sql.js'
import { openSession } from './session/session-service.js'
import { createMemorySessionStore } from './session/session-store-memory.js'
import type { SessionStore } from './session/session-store.js'
import { createSqlSessionStore } from './session/session-store-sql.js'

/** What a vault is made of. */
export interface VaultDeps
  extends
    KeyedDatabase,
    Pick<ChargingDeps, 'acquirerTimeoutMs' | 'leaseWaitMs' | 'log' | 'observer'>,
    Partial<Pick<ChargingDeps, 'accountsFor' | 'acquirerOf' | 'played' | 'installation'>> {
  /**
   * Where sessions live: by default in memory on SQLite, and in an unlogged table on PostgreSQL.
   */
  readonly memorySessions?: SessionStore
}

/** The vault over its database. It opens no port and starts no timer. */
export function createVault({ memorySessions, keys, ...given }: VaultDeps): Vault {
  const { database, clock } = given
  const charging = {
    accountsFor: () => Promise.resolve([]),
    acquirerOf: (id: string) => Promise.reject(new Error(`no acquirer for the account ${id}`)),
    played: {},
    installation: drawInstallation(),
  }
  const sessions =
    memorySessions ??
    (database.dialect.sharedByProcesses
      ? createSqlSessionStore(database)
      : createMemorySessionStore())
  // Only the data keys need the key-encryption keys: no use case gets them.
  const dataKeys = createDataKeys({ database, clock, keys })
  const deps: ChargingDeps & { readonly sessions: SessionStore } = {
    ...charging,
    ...given,
    sessions,
    dataKeys,
  }
  const chainAuditLog = createAuditChain(deps)
  return {
    openSession: () => openSession(deps),
    depositDirectToken: (token) => depositDirectToken(deps, token),
    authorize: createAuthorize(deps),
    recallAuthorization: (environment, code) =>
      recallAuthorization(deps, { environment, transactionCode: code }),
    activateSavedCard: (environment, transactionCode) =>
      activateSavedCard(deps, { environment, transactionCode }),
    deleteSavedCard: (environment, merchantId, code) =>
      deleteSavedCard(deps, { environment, merchantId, code }, `store:${merchantId}`),
    async sweep() {
      const nowMs = clock.now()
      // An authorization has taken its card over from the token: none that is open is touched.
      const swept = {
        sessions: await sessions.eraseExpired(nowMs),
        directTokens: await database.transact((trx) => eraseExpiredTokens(trx, nowMs)),
      }
      await eraseOldCards(deps)
      await forgetDeclines(deps)
      await dataKeys.eraseSpent()
      await chainAuditLog()
      return swept
    },
    async census() {
      const nowMs = clock.now()
      return {
        sessions: await sessions.countLive(nowMs),
        directTokens: await countLiveTokens(database.reader, nowMs),
        savedCards: await countSavedCards(database.reader),
        openCardSinceMs: await oldestOpenCardMs(database.reader),
      }
    },
    followUpCharges: () => followUpCharges(deps),
    rewrapDataKeys: () => dataKeys.rewrapAll(),
  }
}

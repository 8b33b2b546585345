import type { Clock } from '@cofre/contracts'
import type { DataKeys } from './data-key/data-key-service.js'
import type { VaultDatabase } from './database/vault-database.js'
import { eraseExpiredTokens } from './direct-token/direct-token-sql.js'
import type { Swept } from './model/vault.js'
import type { SessionStore } from './session/session-store.js'

export interface SweepDeps {
  readonly database: VaultDatabase
  readonly sessions: SessionStore
  readonly dataKeys: DataKeys
  readonly clock: Clock
  /** Chains what the audit log was told. */
  readonly chainAuditLog: () => Promise<void>
}

/**
 * Forgets what expired, and chains what the audit log was told. An authorization has taken its card over from the token,
 * so none that is open is touched.
 */
export async function sweep(deps: SweepDeps): Promise<Swept> {
  const { database, dataKeys, clock } = deps
  const nowMs = clock.now()
  const sessions = await deps.sessions.eraseExpired(nowMs)
  const directTokens = await database.transact((unit) => eraseExpiredTokens(unit, nowMs))
  await dataKeys.eraseSpent()
  await deps.chainAuditLog()
  return { sessions, directTokens }
}

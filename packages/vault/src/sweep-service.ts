import type { Clock } from '@cofre/contracts'
import type { DataKeys } from './keys/data-key-service.js'
import type { Swept } from './vault.js'
import type { VaultStore } from './vault-store.js'

export interface SweepDeps {
  readonly store: VaultStore
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
  const { store, dataKeys, clock } = deps
  const nowMs = clock.now()
  const swept = await store.transact(async (trx) => ({
    sessions: await trx.sessions.eraseExpired(nowMs),
    directTokens: await trx.directTokens.eraseExpired(nowMs),
  }))
  await dataKeys.eraseSpent()
  await deps.chainAuditLog()
  return swept
}

import type { Clock } from '@cofre/contracts'
import type { Swept } from './vault.js'
import type { VaultStore } from './vault-store.js'

export interface SweepDeps {
  readonly store: VaultStore
  readonly clock: Clock
}

/** Forgets what expired. An authorization has taken its card over from the token, so none that is open is touched. */
export async function sweep({ store, clock }: SweepDeps): Promise<Swept> {
  const nowMs = clock.now()
  return await store.transact(async (unit) => ({
    sessions: await unit.sessions.eraseExpired(nowMs),
    directTokens: await unit.directTokens.eraseExpired(nowMs),
  }))
}

import { type Log, SECOND_MS } from '@cofre/contracts'
import { createJobBackoff, repeatJob } from '@cofre/jobs'
import type { Vault } from '@cofre/vault'

const JOB = 'card charges'
const PAUSE_MS = 2 * SECOND_MS

/** Work of a vault that outlives its requests. */
export interface VaultJob {
  /** Begins no new round; resolves when what is under way is over. */
  stop(): Promise<void>
  /** Milliseconds since the last round, or since the start. */
  sinceLastRoundMs(): number
}

/** Starts it. It may run in any number of processes on one database. */
export function startVaultJob(vault: Pick<Vault, 'followUpCharges'>, log: Log): VaultJob {
  const stopping = new AbortController()
  let roundAtMs = performance.now()
  const round = async (): Promise<void> => {
    await vault.followUpCharges()
    roundAtMs = performance.now()
  }
  const loop = repeatJob(round, createJobBackoff({ job: JOB }, PAUSE_MS, log), stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await loop
    },
    sinceLastRoundMs: () => performance.now() - roundAtMs,
  }
}

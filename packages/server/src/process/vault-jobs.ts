import { type Log, SECOND_MS } from '@cofre/contracts'
import { createJobBackoff, repeatJob } from '@cofre/jobs'
import type { Vault } from '@cofre/vault'

const PAUSE_MS = 2 * SECOND_MS

type Work = 'followUpCharges' | 'pursueReturns' | 'makeLooks' | 'applyEvents'

/** What each is called. An acquirer that is slow holds up its own kind alone. */
const JOBS: Readonly<Record<Work, string>> = {
  followUpCharges: 'card charges',
  pursueReturns: 'card refunds',
  makeLooks: 'card looks',
  applyEvents: 'card events',
}

/** Work of a vault that outlives its requests. */
export interface VaultJobs {
  /** Begins no new round; resolves when what is under way is over. */
  stop(): Promise<void>
  /** Milliseconds since each job's last round, or since the start. */
  roundAgesMs(): ReadonlyMap<string, number>
  /** The longest of them. */
  sinceLastRoundMs(): number
}

/** Starts it. It may run in any number of processes on one database. */
export function startVaultJobs(vault: Pick<Vault, Work>, log: Log): VaultJobs {
  const stopping = new AbortController()
  const rounds = new Map<string, number>()
  const loops = Object.entries(JOBS).map(([work, job]) => {
    const round = async (): Promise<void> => {
      await vault[work as Work]()
      rounds.set(job, performance.now())
    }
    rounds.set(job, performance.now())
    return repeatJob(round, createJobBackoff({ job }, PAUSE_MS, log), stopping.signal)
  })
  const ageOf = (atMs: number): number => performance.now() - atMs
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
    roundAgesMs: () => new Map([...rounds].map(([job, atMs]) => [job, ageOf(atMs)])),
    sinceLastRoundMs: () => ageOf(Math.min(...rounds.values())),
  }
}

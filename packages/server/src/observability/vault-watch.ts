import { type Log, SECOND_MS } from '@cofre/contracts'
import { type OutageMessages, createOutageLog } from '@cofre/jobs'
import { atMostEvery } from './readiness-checks.js'
import type { ReadinessCheck } from './readiness.js'

/** However many ask, the vault is not asked for them more often. */
const PING_INTERVAL_MS = 5 * SECOND_MS

const MESSAGES: OutageMessages = {
  begins: 'the vault does not answer; no card can be charged until it does',
  goesOn: 'the vault still does not answer',
  ends: 'the vault answers again',
}

/** Looks whether the vault in another process answers, for a time when nobody pays, and tells the log of its outages. */
export function watchVault(
  vault: { ping(): Promise<void> },
  url: string,
  log: Log,
): ReadinessCheck {
  const outage = createOutageLog({ url }, MESSAGES, log)
  return atMostEvery(PING_INTERVAL_MS, async () => {
    try {
      await vault.ping()
    } catch (error) {
      outage.failed(error)
      throw error
    }
    outage.succeeded()
  })
}

import { type Log, SECOND_MS, countByMinute, reasonOf } from '@cofre/contracts'
import { atMostEvery } from './readiness-checks.js'
import type { ReadinessCheck } from './readiness.js'

/** However many ask, the vault is not asked for them more often. */
const PING_INTERVAL_MS = 5 * SECOND_MS

/**
 * Looks whether the vault in another process answers, for a time when nobody pays. The log is told of an absence at once, then once
 * a minute with the number of looks that failed, and once that it is over. A vault that comes and goes is told of no more often.
 */
export function watchVault(
  vault: { ping(): Promise<void> },
  url: string,
  log: Log,
): ReadinessCheck {
  const count = countByMinute()
  let isTold = false
  function failed(error: unknown): void {
    const failures = count.add()
    if (failures === 0) return
    if (isTold)
      log.error({ url, failures, reason: reasonOf(error) }, 'the vault still does not answer')
    else
      log.error(
        { url, failures, error },
        'the vault does not answer; no card can be charged until it does',
      )
    isTold = true
  }
  function answered(): void {
    if (!isTold) return
    log.info({ url, failures: count.take() }, 'the vault answers again')
    isTold = false
  }
  return atMostEvery(PING_INTERVAL_MS, async () => {
    try {
      await vault.ping()
    } catch (error) {
      failed(error)
      throw error
    }
    answered()
  })
}

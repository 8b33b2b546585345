import { type Log, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { atMostEvery } from './readiness-checks.js'
import type { ReadinessCheck } from './readiness.js'

/** However many ask, the vault is not asked for them more often. */
const PING_INTERVAL_MS = 5 * SECOND_MS
/** An absence that lasts, or a vault that comes and goes, is told of no more often. */
const TELL_EVERY_MS = MINUTE_MS

/**
 * Looks whether the vault in another process answers, for a time when nobody pays. The log is told of an absence at once, then once
 * a minute with the number of looks that failed, and once that it is over. A vault that comes and goes is told of no more often.
 */
export function watchVault(
  vault: { ping(): Promise<void> },
  url: string,
  log: Log,
): ReadinessCheck {
  let untold = 0
  let toldAtMs = Number.NEGATIVE_INFINITY
  let isTold = false
  function failed(error: unknown): void {
    untold++
    const nowMs = performance.now()
    if (nowMs - toldAtMs < TELL_EVERY_MS) return
    if (isTold)
      log.error({ url, failures: untold, reason: String(error) }, 'the vault still does not answer')
    else
      log.error(
        { url, failures: untold, error },
        'the vault does not answer; no card can be charged until it does',
      )
    isTold = true
    toldAtMs = nowMs
    untold = 0
  }
  function answered(): void {
    if (!isTold) return
    log.info({ url, failures: untold }, 'the vault answers again')
    isTold = false
    untold = 0
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

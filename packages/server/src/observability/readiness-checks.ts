import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { WatchedWorker } from '@cofre/gateway'
import type { Database } from '@cofre/sql'
import type { ReadinessCheck } from './readiness.js'

/** A round may wait for banks that do not answer, and for a database under load. */
const ROUND_MAX_MS = 2 * MINUTE_MS

/** Whether a database answers. */
export function databaseCheck<Tables>({ reader }: Database<Tables>): ReadinessCheck {
  return async () => {
    try {
      await reader.selectNoFrom((select) => select.lit(1).as('one')).execute()
    } catch (cause) {
      throw new Error('the database does not answer', { cause })
    }
  }
}

export function workerCheck(worker: WatchedWorker): ReadinessCheck {
  return () => {
    const seconds = Math.round(worker.sinceLastRoundMs() / SECOND_MS)
    return seconds * SECOND_MS <= ROUND_MAX_MS
      ? Promise.resolve()
      : Promise.reject(new Error(`the worker has not looked for work for ${seconds} s`))
  }
}

/** A check whose success holds for a minute, because it costs more than a glance. */
export function heldForAMinute(check: ReadinessCheck): ReadinessCheck {
  let succeededAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - succeededAt < MINUTE_MS) return
    await check()
    succeededAt = performance.now()
  }
}

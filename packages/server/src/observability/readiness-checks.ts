import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { WatchedWorker } from '@cofre/gateway'
import { type Database, probeWriting } from '@cofre/sql'
import type { ReadinessCheck } from './readiness.js'

/** A round may wait for banks that do not answer, and for a database under load. */
const ROUND_MAX_MS = 2 * MINUTE_MS

/** However many ask, a database is not written for them more often. */
const WRITE_INTERVAL_MS = 5 * SECOND_MS

/** Whether a database answers and can be written: on a full disk, or as a standby, it does the first alone. */
export function databaseCheck<Tables>(database: Database<Tables>): ReadinessCheck {
  const { reader } = database
  const writes = atMostEvery(WRITE_INTERVAL_MS, () => probeWriting(database))
  return async () => {
    try {
      await reader.selectNoFrom((select) => select.lit(1).as('one')).execute()
    } catch (cause) {
      throw new Error('the database does not answer', { cause })
    }
    try {
      await writes()
    } catch (cause) {
      throw new Error('the database cannot be written', { cause })
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

/** A check that answers what it found last, well or not, until an interval has passed; those who ask meanwhile wait for one look. */
export function atMostEvery(intervalMs: number, check: ReadinessCheck): ReadinessCheck {
  let latest: Promise<void> | undefined
  let isOverAt = Number.POSITIVE_INFINITY
  return () => {
    if (latest === undefined || performance.now() - isOverAt >= intervalMs) {
      isOverAt = Number.POSITIVE_INFINITY
      latest = check().finally(() => {
        isOverAt = performance.now()
      })
    }
    return latest
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

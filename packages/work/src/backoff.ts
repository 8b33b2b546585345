import { type Environment, HOUR_MS, type Log, SECOND_MS } from '@cofre/contracts'
import { RoundFailedError } from './each.js'
import { growingMs } from './growing.js'
import { type OutageLog, type OutageMessages, createOutageLog } from './outage-log.js'

/**
 * Counts a job's failures in a row: logs them as an outage, and slows the retries down. Its items
 * rest each for itself: where they failed, what waits behind them is not slowed down.
 */
export interface JobBackoff extends OutageLog {
  /** The pause before the next run: doubled by each failure in a row, up to some seconds. */
  readonly pauseMs: () => number
  /** There was nothing to do: it looks again soon, and no outage has ended. */
  readonly rested: () => void
}

const MESSAGES: OutageMessages = {
  begins: 'a job failed',
  goesOn: 'a job still fails',
  ends: 'a job works again',
}

/** Nobody announces the end of an outage: the job is retried within this time. */
const FAILING_PAUSE_MAX_MS = 5 * SECOND_MS

/** No item rests longer: one that is not due again by then has ended elsewhere. */
const QUIET_MS = 2 * HOUR_MS

/**
 * @param name - Of the job, in the log.
 * @param pauseMs - Between one run and the next while the job succeeds.
 */
export function createJobBackoff(
  name: { readonly job: string; readonly environment?: Environment },
  pauseMs: number,
  log: Log,
): JobBackoff {
  let failuresInARow = 0
  let failedAt = performance.now()
  const outage = createOutageLog(name, MESSAGES, log)
  return {
    succeeded() {
      failuresInARow = 0
      outage.succeeded()
    },
    rested() {
      failuresInARow = 0
      if (performance.now() - failedAt > QUIET_MS) outage.succeeded()
    },
    failed(error) {
      failedAt = performance.now()
      if (!(error instanceof RoundFailedError)) failuresInARow++
      outage.failed(error)
    },
    pauseMs: () =>
      failuresInARow === 0
        ? pauseMs
        : Math.max(pauseMs, growingMs(pauseMs, FAILING_PAUSE_MAX_MS, failuresInARow)),
  }
}

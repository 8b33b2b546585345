import { type Environment, HOUR_MS, type Log, SECOND_MS } from '@cofre/contracts'
import { RoundFailedError } from './each.js'
import { growingMs } from './growing.js'
import { type OutageLog, type OutageMessages, createOutageLog } from './outage-log.js'

/**
 * Counts a job's failures in a row: logs them as an outage and slows down the retries. Each failed
 * item rests on its own, and doesn't slow down the items behind it.
 */
export interface JobBackoff extends OutageLog {
  /** The pause before the next run: doubled by each failure in a row, up to some seconds. */
  readonly pauseMs: () => number
  /** Reports a round with nothing to do: the job looks again soon, and no outage has ended. */
  readonly rested: () => void
}

const MESSAGES: OutageMessages = {
  begins: 'a job failed',
  goesOn: 'a job still fails',
  ends: 'a job works again',
}

/** The end of an outage isn't announced, so the job retries within this time. */
const FAILING_PAUSE_MAX_MS = 5 * SECOND_MS

/** The longest rest of an item; one that isn't due again by then has ended elsewhere. */
const QUIET_MS = 2 * HOUR_MS

/**
 * @param name - The job's name in the log.
 * @param pauseMs - The pause between runs while the job succeeds.
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

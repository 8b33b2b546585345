import { type Environment, type Log, SECOND_MS } from '@cofre/contracts'
import { type OutageLog, type OutageMessages, createOutageLog } from './outage-log.js'

/** Names a job in the log. */
export interface JobName {
  readonly job: string
  readonly environment: Environment
}

/** Follows something that is done over and over, and tells the log of its failures without flooding it. */
export interface JobWatch extends OutageLog {
  /** How long to wait before the next time: twice as long after each failure in a row, up to some seconds. */
  readonly pauseMs: () => number
}

const MESSAGES: OutageMessages = {
  begins: 'a job failed',
  goesOn: 'a job still fails',
  ends: 'a job works again',
}

/** An outage ends unannounced: whoever comes back is asked again within this time. */
const FAILING_PAUSE_MAX_MS = 5 * SECOND_MS

/**
 * Starts following a job, whose failures the log is told of as of any outage.
 * @param pauseMs - Between one time and the next while it succeeds.
 */
export function watchJob(name: JobName, pauseMs: number, log: Log): JobWatch {
  let inARow = 0
  const outage = createOutageLog(name, MESSAGES, log)
  return {
    succeeded() {
      inARow = 0
      outage.succeeded()
    },
    failed(error) {
      inARow++
      outage.failed(error)
    },
    pauseMs: () => (inARow === 0 ? pauseMs : Math.min(pauseMs * 2 ** inARow, FAILING_PAUSE_MAX_MS)),
  }
}

/**
 * Does a job over and over until the signal; resolves once the last time is over. A stop within a pause ends it at once. A failure
 * after the signal is not told: what the job needs may be closing.
 */
export async function repeatJob(
  job: () => Promise<unknown>,
  watch: JobWatch,
  signal: AbortSignal,
): Promise<void> {
  // The job may take long: it is asked anew each time.
  const isStopped = (): boolean => signal.aborted
  while (!isStopped()) {
    try {
      await job()
      watch.succeeded()
    } catch (error) {
      if (!isStopped()) watch.failed(error)
    }
    await pause(watch.pauseMs(), signal)
  }
}

/** Waits for a time, or until the signal. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, durationMs)
    signal.addEventListener('abort', finish)
    // A signal tells of its end once.
    if (signal.aborted) finish()
  })
}

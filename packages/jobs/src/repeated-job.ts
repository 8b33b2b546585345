import { type Environment, type Log, SECOND_MS } from '@cofre/contracts'
import { type OutageLog, type OutageMessages, createOutageLog } from './outage-log.js'

/** Counts a job's failures in a row: logs them as an outage, and slows the retries down. */
export interface JobBackoff extends OutageLog {
  /** The pause before the next run: doubled by each failure in a row, up to some seconds. */
  readonly pauseMs: () => number
}

const MESSAGES: OutageMessages = {
  begins: 'a job failed',
  goesOn: 'a job still fails',
  ends: 'a job works again',
}

/** Nobody announces the end of an outage: the job is retried within this time. */
const FAILING_PAUSE_MAX_MS = 5 * SECOND_MS

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
  const outage = createOutageLog(name, MESSAGES, log)
  return {
    succeeded() {
      failuresInARow = 0
      outage.succeeded()
    },
    failed(error) {
      failuresInARow++
      outage.failed(error)
    },
    pauseMs: () =>
      failuresInARow === 0
        ? pauseMs
        : Math.min(pauseMs * 2 ** failuresInARow, FAILING_PAUSE_MAX_MS),
  }
}

/**
 * Runs a job again and again until the signal; resolves after the last run. A signal ends a pause
 * at once. A failure after the signal is not logged: what the job needs may be closing.
 */
export async function repeatJob(
  job: () => Promise<unknown>,
  backoff: JobBackoff,
  signal: AbortSignal,
): Promise<void> {
  // A function, because the signal may change during a run.
  const isStopped = (): boolean => signal.aborted
  while (!isStopped()) {
    try {
      await job()
      backoff.succeeded()
    } catch (error) {
      if (!isStopped()) backoff.failed(error)
    }
    await pause(backoff.pauseMs(), signal)
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
    // A signal that came before fires no event.
    if (signal.aborted) finish()
  })
}

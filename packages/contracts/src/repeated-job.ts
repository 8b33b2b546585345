import { MINUTE_MS, SECOND_MS } from './clock.js'
import type { Environment } from './environment.js'
import type { Log } from './log.js'

/** Names a job in the log. */
export interface JobName {
  readonly job: string
  readonly environment: Environment
}

/** Follows something that is done over and over, and tells the log of its failures without flooding it. */
export interface JobWatch {
  readonly succeeded: () => void
  readonly failed: (error: unknown) => void
  /** How long to wait before the next time: twice as long after each failure in a row, up to some seconds. */
  readonly pauseMs: () => number
}

/** An outage ends unannounced: whoever comes back is asked again within this time. */
const FAILING_PAUSE_MAX_MS = 5 * SECOND_MS
/** A job that fails on is told of no more often. */
const TELL_EVERY_MS = MINUTE_MS

/**
 * Starts following a job: the first failure is told at once, those after it once a minute with their number, and that it works
 * again once. A job that fails and succeeds in turns is told of no more often.
 * @param pauseMs - Between one time and the next while it succeeds.
 */
export function watchJob(name: JobName, pauseMs: number, log: Log): JobWatch {
  let inARow = 0
  let untold = 0
  let toldAtMs = Number.NEGATIVE_INFINITY
  let isTold = false
  return {
    succeeded() {
      inARow = 0
      if (!isTold) return
      isTold = false
      log.info({ ...name, failures: untold }, 'a job works again')
      untold = 0
    },
    failed(error) {
      inARow++
      untold++
      const nowMs = performance.now()
      if (nowMs - toldAtMs < TELL_EVERY_MS) return
      const failures = { ...name, failures: untold }
      if (isTold) log.error({ ...failures, reason: String(error) }, 'a job still fails')
      else log.error({ ...failures, error }, 'a job failed')
      isTold = true
      toldAtMs = nowMs
      untold = 0
    },
    pauseMs: () => (inARow === 0 ? pauseMs : Math.min(pauseMs * 2 ** inARow, FAILING_PAUSE_MAX_MS)),
  }
}

/** Does a job over and over until the signal; resolves once the last time is over. A stop within a pause ends it at once. */
export async function repeatJob(
  job: () => Promise<unknown>,
  watch: JobWatch,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await job()
      watch.succeeded()
    } catch (error) {
      watch.failed(error)
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

import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'

import { type WatchedWork, answeredWithin } from '@cofre/work'
import { type Database, probeWriting } from '@cofre/sql'

/** Resolves if the part is healthy. @throws Error with the fault */
export type ReadinessCheck = () => Promise<void>

const CHECK_TIMEOUT_MS = 2 * SECOND_MS

/** The requirements of a process, checked on request. */
export class Readiness {
  #state: 'starting' | 'running' | 'stopping' = 'starting'
  readonly #checks = new Map<string, ReadinessCheck>()

  get state() {
    return this.#state
  }

  started(): void {
    this.#state = 'running'
  }

  /** From now on, the process finishes its work and needs no more. */
  stopping(): void {
    this.#state = 'stopping'
  }

  add(name: string, check: ReadinessCheck): void {
    this.#checks.set(name, check)
  }

  /** True if the process should get work, with each check's result: `ok`, or the fault. */
  async report() {
    const results = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await outcomeOf(check)] as const),
    )
    const checks = {
      process: this.#state === 'running' ? 'ok' : this.#state,
      ...Object.fromEntries(results),
    }
    return { ready: Object.values(checks).every((outcome) => outcome === 'ok'), checks }
  }
}

/** True if a check passes in time. */
export async function isWell(check: ReadinessCheck): Promise<boolean> {
  return (await outcomeOf(check)) === 'ok'
}

async function outcomeOf(check: ReadinessCheck): Promise<string> {
  try {
    await answeredWithin(CHECK_TIMEOUT_MS, check)
    return 'ok'
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : 'failed'
  }
}

/** A round may wait for banks that do not answer, and for a busy database. */
const ROUND_MAX_MS = 2 * MINUTE_MS

/** Shortest interval between write checks of a database, whatever the number of requests. */
const WRITE_INTERVAL_MS = 5 * SECOND_MS

/** Checks that a database answers and can be written: a full disk or a standby only answers. */
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

export function workerCheck(worker: Pick<WatchedWork, 'sinceLastRoundMs'>): ReadinessCheck {
  return () => {
    const seconds = Math.round(worker.sinceLastRoundMs() / SECOND_MS)
    return seconds * SECOND_MS <= ROUND_MAX_MS
      ? Promise.resolve()
      : Promise.reject(new Error(`the worker has not looked for work for ${seconds} s`))
  }
}

/**
 * Repeats the last result of a check until an interval has passed. Concurrent callers share a
 * check.
 */
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

/** Repeats the success of an expensive check for a minute. */
export function cachedForAMinute(check: ReadinessCheck): ReadinessCheck {
  let succeededAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - succeededAt < MINUTE_MS) return
    await check()
    succeededAt = performance.now()
  }
}

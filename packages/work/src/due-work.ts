import type { Environment, Log } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import { createJobBackoff } from './backoff.js'
import { RoundFailedError } from './each.js'
import { reasonOf } from './error-reason.js'
import { NOTHING_DUE } from './nothing-due.js'
import { pause } from './pause.js'

/** Work that a process repeats beside its requests: a row of the table that it starts. */
export interface DueWork<Name extends string = string> {
  /** The name in the log. */
  readonly name: Name
  /**
   * Milliseconds from the end of a round to the next while rounds succeed, give or take half of it.
   */
  readonly everyMs: number
  /** How many rounds may run at once, so that a slow provider delays no other; default 1. */
  readonly parallel?: number
  /**
   * Looks for due items and works on them. Any number of processes may do so on one database.
   * @returns NOTHING_DUE if it found nothing, which proves nothing about an outage
   */
  run(round: Round): Promise<unknown>
}

export interface Round {
  /** Aborted when the process stops: begin nothing new. */
  readonly signal: AbortSignal
  /** Reports, during a long round, that it has looked for work once more. */
  readonly looked: () => void
  /** Accepts work that the round doesn't wait for and that never rejects. A stop waits for it. */
  readonly beside: (work: Promise<unknown>) => void
}

export interface Working {
  /** Begins nothing new; resolves when all work under way is over. */
  stop(): Promise<void>
}

/** Work that reports whether it is alive. */
export interface WatchedWork extends Working {
  /**
   * Milliseconds since the last round of the work that has waited longest, or since the start.
   * Normally seconds, or the length of a round if all parallel rounds are slow. More if the process
   * is stuck or its database doesn't respond.
   */
  sinceLastRoundMs(): number
}

interface Place {
  readonly environment?: Environment
  readonly log: Log
}

/** Starts every row of a table; each row fails, rests and continues on its own. */
export function startDueWork(table: readonly DueWork[], place: Place): WatchedWork {
  const stopping = new AbortController()
  const lookedAtMs = new Map<DueWork, number>()
  const underWay = new Set<Promise<unknown>>()
  const beside = (work: Promise<unknown>): void => {
    const over = work.finally(() => underWay.delete(over))
    underWay.add(over)
  }
  const loops = table.map((work) => {
    const looked = (): void => {
      lookedAtMs.set(work, performance.now())
    }
    looked()
    return repeat(work, { ...place, signal: stopping.signal, looked, beside })
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await Promise.all(underWay)
    },
    sinceLastRoundMs: () => performance.now() - Math.min(...lookedAtMs.values()),
  }
}

/**
 * Runs one round of every row, for callers without a running process. A failed row doesn't stop the
 * next.
 * @throws the failure, after all rounds; an AggregateError for several failures
 */
export async function runOnce(table: readonly DueWork[]): Promise<void> {
  const { signal } = new AbortController()
  const underWay: Promise<unknown>[] = []
  const round: Round = {
    signal,
    looked: () => undefined,
    beside(work) {
      underWay.push(work)
    },
  }
  const failures: unknown[] = []
  for (const work of table)
    try {
      await work.run(round)
    } catch (error) {
      failures.push(error)
    }
  await Promise.all(underWay)
  if (failures.length > 1) throw new AggregateError(failures, failures.map(reasonOf).join('; '))
  if (failures.length > 0) throw failures[0]
}

/**
 * Milliseconds until the next turn of an interval, as near to the pause as it can be. Rounds of
 * equal intervals begin together, so that the process wakes up once, and a database gets what they
 * search for in one batch.
 */
function untilTurnMs(pauseMs: number, everyMs: number): number {
  const nowMs = performance.now()
  return Math.ceil((nowMs + pauseMs - everyMs / 2) / everyMs) * everyMs - nowMs
}

type Loop = Place & Round

/** Runs rounds until the signal; resolves when all are over. */
async function repeat(work: DueWork, loop: Loop): Promise<void> {
  const { name, everyMs, parallel = 1 } = work
  const { environment, log, looked, signal } = loop
  const facts = environment === undefined ? { job: name } : { job: name, environment }
  const backoff = createJobBackoff(facts, everyMs, log)
  let failures = 0
  let haveItemsFailed = false
  const round = async (): Promise<'ended'> => {
    const failuresBefore = failures
    try {
      const outcome = await work.run(loop)
      looked()
      // A round that began before a failure doesn't prove that the failed part works again.
      if (failures !== failuresBefore) return 'ended'
      // Neither does a round that had nothing to do.
      if (outcome === NOTHING_DUE && haveItemsFailed) backoff.rested()
      else {
        haveItemsFailed = false
        backoff.succeeded()
      }
    } catch (error) {
      failures++
      haveItemsFailed ||= error instanceof RoundFailedError
      // A round that couldn't reach the database has not looked for work; any other has.
      if (error instanceof RoundFailedError || !isUnavailable(error)) looked()
      // The process may be closing what the work needs.
      if (!signal.aborted) backoff.failed(error)
    }
    return 'ended'
  }
  const underWay = new Set<Promise<'ended'>>()
  while (!signal.aborted) {
    if (underWay.size < parallel) {
      const begun = round().finally(() => underWay.delete(begun))
      underWay.add(begun)
    }
    // Slow rounds are waited for no longer than a pause, so that others can begin beside them.
    const turn = pause(untilTurnMs(everyMs, everyMs), signal)
    const isEnded = (await Promise.race([...underWay, turn])) === 'ended'
    // Calls to providers are bounded: the work is stuck if no round can begin and none ends.
    if (!isEnded && underWay.size < parallel) looked()
    const restMs = backoff.pauseMs() - (isEnded ? 0 : everyMs)
    if (restMs > 0) await pause(untilTurnMs(restMs, everyMs), signal)
  }
  await Promise.all(underWay)
}

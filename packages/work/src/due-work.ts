import type { Environment, Log } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import { createJobBackoff } from './backoff.js'
import { RoundFailedError } from './each.js'
import { reasonOf } from './error-reason.js'
import { NOTHING_DUE } from './nothing-due.js'
import { pause } from './pause.js'

/** What a process does again and again beside its requests: a row of the table that it starts. */
export interface DueWork<Name extends string = string> {
  /** In the log. */
  readonly name: Name
  /** Milliseconds from the end of a round to the next, while rounds succeed. */
  readonly everyMs: number
  /** How many rounds may be under way at once, so that a slow provider delays no other's; or 1. */
  readonly parallel?: number
  /**
   * Looks for what is due and does it. Any number of processes may do so on one database.
   * @returns NOTHING_DUE where it found nothing, which says nothing about an outage
   */
  run(round: Round): Promise<unknown>
}

export interface Round {
  /** When the process stops: nothing new is begun. */
  readonly signal: AbortSignal
  /** Says, in a round that goes on for long, that it has looked for work once more. */
  readonly looked: () => void
  /** Takes what the round does not wait for, and never rejects: a stop waits for it. */
  readonly beside: (work: Promise<unknown>) => void
}

/** Work that was started. */
export interface Working {
  /** Begins nothing new; resolves when what is under way is over. */
  stop(): Promise<void>
}

/** Work that reports whether it is alive. */
export interface WatchedWork extends Working {
  /**
   * Milliseconds since the last round of the work that has waited longest, or since the start:
   * seconds, or as long as a round takes where all that may run beside each other are slow; unless
   * the process is stuck or its database does not answer.
   */
  sinceLastRoundMs(): number
}

/** Where the work is done, for the log. */
interface Place {
  readonly environment?: Environment
  readonly log: Log
}

/** Starts every row of a table; each fails, rests and goes on for itself. */
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
 * Makes one round of every row, for callers that have no process running; each though one before it
 * has failed.
 * @throws what has failed, after all rounds; an AggregateError where that is several
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

type Loop = Place & Round

/** Makes rounds until the signal; resolves when all are over. */
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
      // One that began before a failure does not say that what has failed works again.
      if (failures !== failuresBefore) return 'ended'
      // Neither does one that had nothing to do.
      if (outcome === NOTHING_DUE && haveItemsFailed) backoff.rested()
      else {
        haveItemsFailed = false
        backoff.succeeded()
      }
    } catch (error) {
      failures++
      haveItemsFailed ||= error instanceof RoundFailedError
      // One that could not reach the database has not looked for work; any other has.
      if (error instanceof RoundFailedError || !isUnavailable(error)) looked()
      // What the work needs may be closing.
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
    // Slow rounds are waited for no longer than a pause, while others may begin beside them.
    const isEnded = (await Promise.race([...underWay, pause(everyMs, signal)])) === 'ended'
    // Calls to providers are bounded: where no round can begin and none ends, the work is stuck.
    if (!isEnded && underWay.size < parallel) looked()
    await pause(backoff.pauseMs() - (isEnded ? 0 : everyMs), signal)
  }
  await Promise.all(underWay)
}

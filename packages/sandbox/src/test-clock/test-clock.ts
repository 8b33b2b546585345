import { ApiError, type Clock, DAY_MS, type Log, SECOND_MS } from '@cofre/contracts'
import { startDueWork } from '@cofre/work'
import type { TestClockStore } from './test-clock-sql.js'

/**
 * The sandbox's time: the machine's, plus the time that its developers have skipped. It never goes
 * back.
 */
export interface TestClock extends Clock {
  /** Milliseconds by which the sandbox is ahead of the machine. */
  offsetMs(): number
  /**
   * Skips time for the whole sandbox, in every process that serves it within a second.
   * @throws ApiError sandbox_request_invalid when it would be more than five years ahead
   */
  advance(durationMs: number): Promise<void>
  /** Stops following other processes; resolves once the database is no longer read. */
  stop(): Promise<void>
}

interface TestClockDeps {
  readonly store: TestClockStore
  readonly machineClock: Clock
  readonly log: Log
}

const FOLLOW_EVERY_MS = SECOND_MS
/** No payment takes longer, and distant dates would break shared state of the sandbox's stores. */
const AHEAD_MAX_MS = 5 * 365 * DAY_MS

/** Starts the sandbox's clock with its stored offset. */
export async function startTestClock({
  store,
  machineClock,
  log,
}: TestClockDeps): Promise<TestClock> {
  let offsetMs = await store.offsetMs()
  const set = (nextMs: number): void => {
    offsetMs = Math.max(offsetMs, nextMs)
  }
  const follow = async (): Promise<void> => {
    set(await store.offsetMs())
  }
  const following = startDueWork([{ name: 'test clock', everyMs: FOLLOW_EVERY_MS, run: follow }], {
    environment: 'sandbox',
    log,
  })
  return {
    now: () => machineClock.now() + offsetMs,
    offsetMs: () => offsetMs,
    async advance(durationMs) {
      const sumMs = await store.add(durationMs, AHEAD_MAX_MS)
      if (sumMs === undefined) throw new ApiError([tooFarAhead])
      set(sumMs)
    },
    stop: () => following.stop(),
  }
}

const tooFarAhead = {
  name: 'sandbox_request_invalid',
  property: 'seconds',
  constraint: 'maximum',
} as const

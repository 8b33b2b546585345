import { type Clock, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { pause } from '@cofre/work'
import type { SearchIndexStore } from './model/stores.js'

/** Then the worker hears that its job is alive. */
const RUN_MS = 2 * SECOND_MS
/** Payments come first: it rests so many times as long as it works, until it is late. */
const RESTS = 3
const LATE_MS = MINUTE_MS
/** A unit of work that took long has waited for others. */
const REST_MAX_MS = SECOND_MS
/** What is new is read a second later anyway. */
const IDLE_MS = SECOND_MS

export interface SearchIndexDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly searchIndex: SearchIndexStore
}

/** Brings the index of payments up to date, as far as that goes in a short run. */
export async function indexPayments(
  { searchIndex, clock, machineClock }: SearchIndexDeps,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + RUN_MS
  let workedSince = performance.now()
  const rest = async (ageMs: number): Promise<void> => {
    const restMs = (ageMs > LATE_MS ? 1 : RESTS) * (performance.now() - workedSince)
    await pause(Math.min(restMs, REST_MAX_MS), signal)
    workedSince = performance.now()
  }
  for (;;) {
    const time = { nowMs: clock.now(), machineNowMs: machineClock.now() }
    if (!(await searchIndex.round(time, rest))) {
      await pause(IDLE_MS, signal)
      return
    }
    if (signal.aborted || performance.now() > endsAt) return
    await rest(0)
  }
}

import { type Clock, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { pause } from '@cofre/work'
import type { SearchIndexStore } from './model/stores.js'

/** The worker learns at this interval that its job is alive. */
const RUN_MS = 2 * SECOND_MS
/** Payments have priority: the worker rests this many times its working time, until it is late. */
const RESTS = 3
const LATE_MS = MINUTE_MS
/** A unit of work that took longer has waited for others. */
const REST_MAX_MS = SECOND_MS
/** New payments are read a second later anyway. */
const IDLE_MS = SECOND_MS

export interface SearchIndexDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly searchIndex: SearchIndexStore
}

/** Updates the index of payments, as far as a short run allows. */
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

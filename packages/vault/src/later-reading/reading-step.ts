// The schedule of later readings, for charges without news.
import { DAY_MS } from '@cofre/contracts'
import { FOLLOWED_FOR_MS } from '../authorization/card-charge.js'

/** Days after its approval: chargebacks and late refusals come within half a year. */
export const READING_STEPS = [1, 7, 30, 90, 180] as const
/** The step of accounts that cannot be read: it checks for a notice of the approval. */
export const NOTICE_STEP = 0
const NOTICE_AFTER_MS = DAY_MS
const NOTICE_WITHIN_MS = 8 * DAY_MS

/** Approved after the first, and not after the second. */
export interface ReadingPeriod {
  readonly afterMs: number
  readonly untilMs: number
}

/** The charges of a step. Those for which the next step is due are left to that one. */
export function periodOf(stepDays: number, nowMs: number): ReadingPeriod {
  if (stepDays === NOTICE_STEP)
    return { afterMs: nowMs - NOTICE_WITHIN_MS, untilMs: nowMs - NOTICE_AFTER_MS }
  const next = READING_STEPS.find((days) => days > stepDays)
  const afterMs = nowMs - (next === undefined ? FOLLOWED_FOR_MS : next * DAY_MS)
  return { afterMs, untilMs: nowMs - stepDays * DAY_MS }
}

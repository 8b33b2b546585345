import { type Clock, MINUTE_MS } from '@cofre/contracts'
import type { EarlierAttempts, NotDone, UnknownOutcome } from '@cofre/vault'
import { unknown } from '../model/call-conclusion.js'

/** A request may be on its way for so long: what is absent before that can still arrive. */
const ARRIVAL_MS = MINUTE_MS

/** Undefined once something has been absent for long enough to be asked for again. */
export function absence(
  clock: Clock,
  knownSinceMs: number | undefined,
): UnknownOutcome | undefined {
  const nowMs = clock.now()
  const absentSinceMs = Math.min(knownSinceMs ?? nowMs, nowMs)
  const retryAfterMs = absentSinceMs + ARRIVAL_MS - nowMs
  if (retryAfterMs <= 0) return undefined
  return { ...unknown('absent so far'), absentSinceMs, retryAfterMs }
}

/** Nothing was asked for: what was known of an absence still holds. */
export function keepingAbsence(
  { detail, retryAfterMs }: NotDone | UnknownOutcome,
  earlier: EarlierAttempts | undefined,
): UnknownOutcome {
  const absentSinceMs = earlier?.absentSinceMs
  return {
    ...unknown(detail),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(absentSinceMs !== undefined && { absentSinceMs }),
  }
}

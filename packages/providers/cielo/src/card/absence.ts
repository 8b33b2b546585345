import { type Clock, MINUTE_MS } from '@cofre/contracts'
import { type Doubt, type EarlierAttempts, unknown } from '@cofre/provider-kit/card'

/** A request may be on its way for so long: what is absent before that can still arrive. */
const ARRIVAL_MS = MINUTE_MS

/** Undefined once something has been absent for long enough to be asked for again. */
export function absence(clock: Clock, knownSinceMs: number | undefined): Doubt | undefined {
  const nowMs = clock.now()
  const absentSinceMs = Math.min(knownSinceMs ?? nowMs, nowMs)
  const retryAfterMs = absentSinceMs + ARRIVAL_MS - nowMs
  if (retryAfterMs <= 0) return undefined
  return { ...unknown('absent so far', retryAfterMs), absentSinceMs }
}

/** Nothing was asked for: what was known of an absence still holds. */
export function keepingAbsence(
  { detail, retryAfterMs }: { readonly detail: string; readonly retryAfterMs?: number },
  earlier: EarlierAttempts | undefined,
): Doubt {
  const absentSinceMs = earlier?.absentSinceMs
  return {
    ...unknown(detail, retryAfterMs),
    ...(absentSinceMs !== undefined && { absentSinceMs }),
  }
}

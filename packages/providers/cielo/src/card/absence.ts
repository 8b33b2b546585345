import { type Clock, MINUTE_MS } from '@cofre/contracts'
import { type Doubt, type EarlierAttempts, unknown } from '@cofre/provider-kit/card'

/** The longest time until a request arrives: an absent one can still arrive until then. */
const ARRIVAL_MS = MINUTE_MS

/** Undefined once a request has been absent long enough to be repeated. */
export function absence(clock: Clock, knownSinceMs: number | undefined): Doubt | undefined {
  const nowMs = clock.now()
  const absentSinceMs = Math.min(knownSinceMs ?? nowMs, nowMs)
  const retryAfterMs = absentSinceMs + ARRIVAL_MS - nowMs
  if (retryAfterMs <= 0) return undefined
  return { ...unknown('absent so far', retryAfterMs), absentSinceMs }
}

/** Nothing was requested: an earlier absence still holds. */
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

import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'

/** Whether one more call may be made, or when to come back. */
export type Permission =
  | { readonly kind: 'granted' }
  | {
      readonly kind: 'denied'
      readonly reason: 'budget_spent' | 'paused_by_provider'
      readonly retryAfterMs: number
    }

/** Somebody waits for the answer, or nobody does: the latter leaves calls for the former. */
export type CallPriority = 'waited_for' | 'background'

/** How many calls an account makes. One budget serves all that is done with an account. */
export interface CallBudget {
  /** Counts a call if it may be made. */
  take(priority: CallPriority): Permission
  /** The provider asks for a pause, at most an hour of which is kept. */
  pause(durationMs: number): void
}

export interface CallBudgetOptions {
  readonly clock: Clock
  /** Default 60. */
  readonly callsPerMinute?: number | undefined
}

const CALLS_PER_MINUTE = 60
const PAUSE_MAX_MS = HOUR_MS
/** The share of a minute's calls that background work leaves to payers and refunds. */
const RESERVED_SHARE = 1 / 3

/** Never more than the given number of calls in any 60 seconds, and none in a pause. */
export function createCallBudget(options: CallBudgetOptions): CallBudget {
  const { clock, callsPerMinute = CALLS_PER_MINUTE } = options
  const backgroundMax = Math.max(1, Math.floor(callsPerMinute * (1 - RESERVED_SHARE)))
  let calls: number[] = []
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  return {
    take(priority) {
      const nowMs = clock.now()
      // A clock that is set back must not keep an account waiting: no pause is longer than this.
      pausedUntilMs = Math.min(pausedUntilMs, nowMs + PAUSE_MAX_MS)
      if (pausedUntilMs > nowMs) return denied('paused_by_provider', pausedUntilMs - nowMs)
      calls = calls.filter((atMs) => atMs <= nowMs && atMs > nowMs - MINUTE_MS)
      const max = priority === 'background' ? backgroundMax : callsPerMinute
      const isSpent = calls.length >= max
      if (isSpent) return denied('budget_spent', MINUTE_MS - (nowMs - (calls.at(-max) ?? nowMs)))
      calls.push(nowMs)
      return { kind: 'granted' }
    },
    pause(durationMs) {
      const untilMs = clock.now() + Math.min(durationMs, PAUSE_MAX_MS)
      pausedUntilMs = Math.max(pausedUntilMs, untilMs)
    },
  }
}

function denied(reason: 'budget_spent' | 'paused_by_provider', waitMs: number): Permission {
  return { kind: 'denied', reason, retryAfterMs: Math.max(1, waitMs) }
}

const PAUSE_WITHOUT_WORD_MS = 10 * SECOND_MS

/**
 * For how long a 429 or 503 asks us to stay away: `Retry-After` in seconds or as a date; ten
 * seconds for a 429 without one.
 */
export function pauseAskedFor(
  status: number,
  retryAfter: string | undefined,
  nowMs: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const seconds = /^\d{1,9}$/.test(retryAfter?.trim() ?? '') ? Number(retryAfter) : undefined
  const untilMs = seconds === undefined ? Date.parse(retryAfter ?? '') : nowMs + seconds * SECOND_MS
  if (Number.isNaN(untilMs)) return status === 429 ? PAUSE_WITHOUT_WORD_MS : undefined
  return Math.min(Math.max(0, untilMs - nowMs), PAUSE_MAX_MS)
}

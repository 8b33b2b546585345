import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'

/** Permission for one more call, or the time until it. */
export type Permission =
  | { readonly kind: 'granted' }
  | {
      readonly kind: 'denied'
      readonly reason: 'budget_spent' | 'paused_by_provider'
      readonly retryAfterMs: number
    }

/** The priority of a call: some leave room for others. */
export type CallPriority =
  /** A person waits for the answer. */
  | 'waited_for'
  /** One call that replaces many single look-ups. */
  | 'sweep'
  /** No person waits, but the call must be made. */
  | 'background'
  /** Other calls find the same, only later. */
  | 'spare'
  /** After all others: nothing depends on it. */
  | 'later'

/** Limits this process's calls for an account. One budget serves all its work there. */
export interface CallBudget {
  /** Counts a call if it is permitted. */
  take(priority: CallPriority): Permission
  /** Obeys a pause that the provider requests, for at most an hour. */
  pause(durationMs: number): void
}

export interface CallBudgetOptions {
  readonly clock: Clock
  /** Default 60. */
  readonly callsPerMinute?: number | undefined
}

const CALLS_PER_MINUTE = 60
const PAUSE_MAX_MS = HOUR_MS
/**
 * Shares of a minute's calls. `upTo`: beyond this share of all calls, the priority yields to
 * others. `kept`: reserved for the priority. A sweep lists a hundred payments per call, twice a
 * minute, and repeats the last ten minutes: a sixth suffices for the orders that the rest allows.
 */
const SHARES: Readonly<Record<CallPriority, { readonly upTo: number; readonly kept: number }>> = {
  waited_for: { upTo: 1, kept: 1 / 3 },
  sweep: { upTo: 2 / 3, kept: 1 / 6 },
  background: { upTo: 2 / 3, kept: 1 / 20 },
  spare: { upTo: 1 / 2, kept: 0 },
  later: { upTo: 1 / 3, kept: 0 },
}
const PRIORITIES = Object.keys(SHARES) as CallPriority[]

interface Call {
  readonly priority: CallPriority
  readonly atMs: number
}

/** Never permits more than the given number of calls in any 60 seconds, and none in a pause. */
export function createCallBudget(options: CallBudgetOptions): CallBudget {
  const { clock, callsPerMinute = CALLS_PER_MINUTE } = options
  const keptFor = (priority: CallPriority): number =>
    Math.floor(callsPerMinute * SHARES[priority].kept)
  let calls: Call[] = []
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  const madeBy = (priority: CallPriority): Call[] =>
    calls.filter((call) => call.priority === priority)
  const leftTo = (others: CallPriority): number =>
    PRIORITIES.filter((priority) => priority !== others)
      .map((priority) => Math.max(0, keptFor(priority) - madeBy(priority).length))
      .reduce((sum, left) => sum + left, 0)
  return {
    take(priority) {
      const nowMs = clock.now()
      // A clock that is set back must not block an account: no pause exceeds this.
      pausedUntilMs = Math.min(pausedUntilMs, nowMs + PAUSE_MAX_MS)
      if (pausedUntilMs > nowMs) return denied('paused_by_provider', pausedUntilMs - nowMs)
      calls = calls.filter(({ atMs }) => atMs <= nowMs && atMs > nowMs - MINUTE_MS)
      const upTo = Math.floor(callsPerMinute * SHARES[priority].upTo)
      const max = Math.max(1, Math.min(upTo, callsPerMinute - leftTo(priority)))
      const waitMs = Math.min(
        waitFor(calls, max, nowMs),
        waitFor(madeBy(priority), keptFor(priority), nowMs),
      )
      if (waitMs > 0) return denied('budget_spent', waitMs)
      calls.push({ priority, atMs: nowMs })
      return { kind: 'granted' }
    },
    pause(durationMs) {
      const untilMs = clock.now() + Math.min(durationMs, PAUSE_MAX_MS)
      pausedUntilMs = Math.max(pausedUntilMs, untilMs)
    },
  }
}

/** The time until fewer than `max` of these calls are in the last minute. */
function waitFor(calls: readonly Call[], max: number, nowMs: number): number {
  if (calls.length < max) return 0
  const atMs = max === 0 ? nowMs : (calls.at(-max)?.atMs ?? nowMs)
  return MINUTE_MS - (nowMs - atMs)
}

function denied(reason: 'budget_spent' | 'paused_by_provider', waitMs: number): Permission {
  return { kind: 'denied', reason, retryAfterMs: Math.max(1, waitMs) }
}

const USUAL_PAUSE_MS = 10 * SECOND_MS

/**
 * The pause that a 429 or 503 requests: `Retry-After` in seconds or as a date; ten seconds for a
 * 429 without one.
 */
export function pauseAskedFor(
  status: number,
  retryAfter: string | undefined,
  nowMs: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const seconds = /^\d{1,9}$/.test(retryAfter?.trim() ?? '') ? Number(retryAfter) : undefined
  const untilMs = seconds === undefined ? Date.parse(retryAfter ?? '') : nowMs + seconds * SECOND_MS
  if (Number.isNaN(untilMs)) return status === 429 ? USUAL_PAUSE_MS : undefined
  return Math.min(Math.max(0, untilMs - nowMs), PAUSE_MAX_MS)
}

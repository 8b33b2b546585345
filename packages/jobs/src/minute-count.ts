import { MINUTE_MS } from '@cofre/contracts'

/** Counts events, so that the log has one line a minute with their number instead of a flood. */
export interface MinuteCount {
  /** Counts one. Returns the number of unlogged events when a line is due, 0 otherwise. */
  add(): number
  /** Returns the number of unlogged events, for a line that is due for another reason. */
  take(): number
}

/** The first event is due at once, the others at most once a minute. */
export function countByMinute(): MinuteCount {
  let dueAtMs = Number.NEGATIVE_INFINITY
  let unlogged = 0
  const take = (): number => {
    const count = unlogged
    unlogged = 0
    return count
  }
  return {
    add() {
      unlogged++
      const nowMs = performance.now()
      if (nowMs < dueAtMs) return 0
      dueAtMs = nowMs + MINUTE_MS
      return take()
    },
    take,
  }
}

import { MINUTE_MS } from '@cofre/contracts'

/** Counts what may come without end, so that a line a minute tells how much it was. */
export interface MinuteCount {
  /** Counts one. Returns how many are unlogged when a line about them is due, at most once a minute, and 0 in between. */
  add(): number
  /** How many are unlogged, for a line that is due for another reason. */
  take(): number
}

/** The first is told at once. */
export function countByMinute(): MinuteCount {
  let dueAtMs = Number.NEGATIVE_INFINITY
  let unlogged = 0
  const take = (): number => {
    const told = unlogged
    unlogged = 0
    return told
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

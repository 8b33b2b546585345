import { type RawBuilder, sql } from 'kysely'

/**
 * The latest time at which a lease, pause or lifetime from today's clock can end. A later one was
 * given before the clock was set back. It counts as over, instead of lasting until the clock has
 * caught up. Twice the longest, because the clocks of several machines differ.
 */
export function clockHorizonMs(nowMs: number, longestMs: number): number {
  return nowMs + 2 * longestMs
}

/**
 * True if a time has come.
 * @param longestMs - How far ahead the time may be.
 */
export function hasCome(atMs: number, nowMs: number, longestMs: number): boolean {
  return atMs <= nowMs || atMs > clockHorizonMs(nowMs, longestMs)
}

/** Columns of times that are waited for: leases, pauses, lifetimes, due times. */
export type TimeColumn =
  | 'activate_at'
  | 'due_at'
  | 'expires_at_ms'
  | 'lease_until'
  | 'lease_until_ms'
  | 'look_at_ms'
  | 'next_ask_at'
  | 'next_ask_at_ms'
  | 'next_at'
  | 'next_at_ms'
  | 'next_attempt_at'
  | 'next_look_at'
  | 'next_sweep_at'
  | 'next_told_at'
  | 'probe_at'
  | 'release_check_at_ms'
  | 'remind_at'
  | 'taken.lease_until_ms'
  | 'try_at_ms'

/**
 * Like {@link hasCome}, for a column.
 * @param nowMs - The time by the clock that wrote the column.
 * @param longestMs - How far ahead the time may be.
 */
export function isPast(column: TimeColumn, nowMs: number, longestMs: number): RawBuilder<boolean> {
  return isPastBy(column, nowMs, clockHorizonMs(nowMs, longestMs))
}

/** Like {@link isPast}, for a prepared query, which cannot compute the horizon. */
export function isPastBy(
  column: TimeColumn,
  nowMs: number,
  horizonMs: number,
): RawBuilder<boolean> {
  const time = sql.ref(column)
  return sql`(${time} <= ${nowMs} or ${time} > ${horizonMs})`
}

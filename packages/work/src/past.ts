import { type RawBuilder, sql } from 'kysely'

/**
 * Beyond which no lease, pause or lifetime can end that was given by today's clock: it was given
 * before the clock was set back, and counts as over, rather than being kept until the clock has
 * caught up. Twice the longest, because the clocks of several machines differ.
 */
export function clockHorizonMs(nowMs: number, longestMs: number): number {
  return nowMs + 2 * longestMs
}

/**
 * Whether a time has come.
 * @param longestMs - How far ahead it may lie.
 */
export function hasCome(atMs: number, nowMs: number, longestMs: number): boolean {
  return atMs <= nowMs || atMs > clockHorizonMs(nowMs, longestMs)
}

/** Columns of times that come: leases, pauses, lifetimes, and what is due. */
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
  | 'taken.lease_until_ms'
  | 'try_at_ms'

/**
 * The same of the time of a column.
 * @param nowMs - By the clock that it was made with.
 * @param longestMs - How far ahead it may lie.
 */
export function isPast(column: TimeColumn, nowMs: number, longestMs: number): RawBuilder<boolean> {
  return isPastBy(column, nowMs, clockHorizonMs(nowMs, longestMs))
}

/** The same in a query that is prepared, which cannot compute the horizon. */
export function isPastBy(
  column: TimeColumn,
  nowMs: number,
  horizonMs: number,
): RawBuilder<boolean> {
  const time = sql.ref(column)
  return sql`(${time} <= ${nowMs} or ${time} > ${horizonMs})`
}

import { type RawBuilder, sql } from 'kysely'

/**
 * Beyond which no lease or pause can lie that was made by today's clock: it was made before the
 * clock was set back, and counts as over. Twice the longest, because the clocks of several machines
 * differ.
 */
export function leaseHorizonMs(nowMs: number, longestMs: number): number {
  return nowMs + 2 * longestMs
}

type TimeColumn =
  | 'lease_until'
  | 'next_ask_at'
  | 'activate_at'
  | 'next_attempt_at'
  | 'probe_at'
  | 'next_look_at'
  | 'next_sweep_at'
  | 'next_told_at'

/**
 * Whether the time of a column has come.
 * @param nowMs - By the clock that it was made with.
 * @param longestMs - How far ahead it may lie.
 */
export function isOver(column: TimeColumn, nowMs: number, longestMs: number): RawBuilder<boolean> {
  return isOverBy(column, nowMs, leaseHorizonMs(nowMs, longestMs))
}

/** The same in a query that is prepared, which cannot compute the horizon. */
export function isOverBy(
  column: TimeColumn,
  nowMs: number,
  horizonMs: number,
): RawBuilder<boolean> {
  const time = sql.ref(column)
  return sql`(${time} <= ${nowMs} or ${time} > ${horizonMs})`
}

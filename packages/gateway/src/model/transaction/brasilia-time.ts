import { DAY_MS, HOUR_MS } from '@cofre/contracts'

// Brazil has had no daylight saving time since 2019 (Decreto 9.772), so Brasília is three hours
// behind UTC all year.
const OFFSET_MS = -3 * HOUR_MS
const OFFSET = '-03:00'

/** ISO 8601 with milliseconds and Brasília's offset: `2026-11-21T10:15:30.000-03:00`. */
export function formatTimestamp(timeMs: number): string {
  return new Date(timeMs + OFFSET_MS).toISOString().slice(0, -1) + OFFSET
}

/** The day in Brasília, as `YYYY-MM-DD`, a number of days after the time. */
export function dayInBrasilia(timeMs: number, daysAhead = 0): string {
  return formatTimestamp(timeMs + daysAhead * DAY_MS).slice(0, 10)
}

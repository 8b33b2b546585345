import { DAY_MS, HOUR_MS } from '@cofre/contracts'

// Brazil has had no daylight saving time since 2019 (Decreto 9.772).
const OFFSET_MS = -3 * HOUR_MS
/** The bank accepts a boleto that is due today until 19:59. */
const LAST_HOUR = 20

/** `YYYY-MM-DD` in Brasília. */
export function brasiliaDate(timeMs: number): string {
  return new Date(timeMs + OFFSET_MS).toISOString().slice(0, 10)
}

/** The day, `YYYY-MM-DD`, this many days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The earliest due date of a boleto that is requested now. */
export function firstDueDay(timeMs: number): string {
  const isLate = new Date(timeMs + OFFSET_MS).getUTCHours() >= LAST_HOUR
  return dayAfter(brasiliaDate(timeMs), isLate ? 1 : 0)
}

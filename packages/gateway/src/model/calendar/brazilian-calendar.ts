import { DAY_MS, HOUR_MS, isCalendarDate } from '@cofre/contracts'

// Brazil has had no daylight saving time since 2019 (Decreto 9.772), so Brasília is three hours
// behind UTC all year.
const OFFSET_MS = -3 * HOUR_MS
const OFFSET = '-03:00'

/** ISO 8601 with milliseconds and Brasília's offset: `2026-11-21T10:15:30.000-03:00`. */
export function formatTimestamp(timeMs: number): string {
  return new Date(timeMs + OFFSET_MS).toISOString().slice(0, -1) + OFFSET
}

export function timestampOrNull(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : formatTimestamp(timeMs)
}

/** The day in Brasília, as `YYYY-MM-DD`, a number of days after the time. */
export function dayInBrasilia(timeMs: number, daysAhead = 0): string {
  return formatTimestamp(timeMs + daysAhead * DAY_MS).slice(0, 10)
}

/** The day in Brasília as a number, since 1970. */
export function dayNumberInBrasilia(timeMs: number): number {
  return Math.floor((timeMs + OFFSET_MS) / DAY_MS)
}

/** The beginning of a day in Brasília; days are counted from 1970. */
export function timeOfDayInBrasilia(day: number): number {
  return day * DAY_MS - OFFSET_MS
}

// Days on which Brazilian banks settle: the national holidays of CMN Resolution 4.880/2020, as
// ANBIMA publishes them. State and city holidays do not count, and the last working day of the year
// does.

/** By month and day; the first year, if it matters. */
const FIXED_HOLIDAYS: Readonly<Record<string, number>> = {
  '01-01': 0,
  '04-21': 0,
  '05-01': 0,
  '09-07': 0,
  '10-12': 0,
  '11-02': 0,
  '11-15': 0,
  // Consciência Negra, Lei 14.759/2023.
  '11-20': 2024,
  '12-25': 0,
}
/** Days from Easter: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const EASTER_HOLIDAYS = [-48, -47, -2, 60]
/** Days for which a boleto stays open after its due date (specification, section 8). */
const OPEN_DAYS = 8

/**
 * True if banks settle on a day.
 * @param day - `YYYY-MM-DD`
 * @throws RangeError if it is no day of the calendar
 */
export function isBusinessDay(day: string): boolean {
  const timeMs = startOf(day)
  const weekday = new Date(timeMs).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const year = Number(day.slice(0, 4))
  const since = FIXED_HOLIDAYS[day.slice(5)]
  if (since !== undefined && year >= since) return false
  return !EASTER_HOLIDAYS.includes(Math.round((timeMs - easterMs(year)) / DAY_MS))
}

/**
 * The day itself if it is a business day, else the next one, on which a boleto may be paid without
 * surcharge.
 */
export function nextBusinessDay(day: string): string {
  let next = day
  while (!isBusinessDay(next)) next = dayAfter(next, 1)
  return next
}

/**
 * The last day on which a boleto may be paid: the eighth after the business day of its due date.
 */
function lastPayableDay(dueDate: string): string {
  return dayAfter(nextBusinessDay(dueDate), OPEN_DAYS)
}

/**
 * The number of days after its due date in which a boleto may be paid.
 * @param dueDate - `YYYY-MM-DD`
 */
export function payableDays(dueDate: string): number {
  return (startOf(lastPayableDay(dueDate)) - startOf(dueDate)) / DAY_MS
}

/**
 * The first moment at which a boleto can no longer be paid; without a bank, an unpaid one then
 * becomes NOT-PAID. It is the end of the eighth day, in Brasília, after the due date or the next
 * business day. Eight days leave time for a confirmation that takes up to six business days.
 * @param dueDate - `YYYY-MM-DD`
 * @returns the first millisecond that is too late
 */
export function boletoDeadlineMs(dueDate: string): number {
  return endOfDayMs(lastPayableDay(dueDate))
}

/**
 * When a bank knows whether a boleto was paid in time: two business days after its last day.
 * @param dueDate - `YYYY-MM-DD`
 */
export function boletoEndMs(dueDate: string): number {
  const first = nextBusinessDay(dayAfter(lastPayableDay(dueDate), 1))
  return endOfDayMs(nextBusinessDay(dayAfter(first, 1)))
}

/** No daylight saving time since 2019 (Decreto 9.772), so every day has 24 hours. */
function endOfDayMs(day: string): number {
  return Date.parse(`${day}T00:00:00${OFFSET}`) + DAY_MS
}

function dayAfter(day: string, days: number): string {
  return new Date(startOf(day) + days * DAY_MS).toISOString().slice(0, 10)
}

function startOf(day: string): number {
  if (!isCalendarDate(day)) throw new RangeError(`no day of the calendar: ${day}`)
  return Date.parse(`${day}T00:00:00Z`)
}

/**
 * Easter Sunday of a Gregorian year, by the algorithm of Meeus (Astronomical Algorithms, chapter
 * 8), with its letters.
 */
function easterMs(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const monthAndDay = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(monthAndDay / 31) - 1, (monthAndDay % 31) + 1)
}

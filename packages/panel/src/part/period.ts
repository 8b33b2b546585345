import { DAY_MS, isCalendarDate } from '@cofre/contracts'

/** Periods that end today, in days. */
export const LENGTHS = [7, 30, 90] as const

/** A leap year, so that a comparison with the year before covers the same days. */
const YEAR_DAYS = 366

export interface ChosenPeriod {
  /** Days since 1970, in Brasília. */
  readonly fromDay: number
  /** Not included. */
  readonly untilDay: number
  /** Undefined if days were chosen. */
  readonly length: (typeof LENGTHS)[number] | undefined
  /** True if the requested days are not a valid period. */
  readonly isRefused: boolean
  readonly daysMax: number
}

/** The period in an address; thirty days if it has none or an invalid one. */
export function readPeriod(
  query: Readonly<Record<string, string>>,
  today: number,
  daysMax = YEAR_DAYS,
): ChosenPeriod {
  const from = dayNumber(query.from)
  const until = dayNumber(query.until)
  if (from !== undefined && until !== undefined && from <= until && until - from < daysMax)
    return { fromDay: from, untilDay: until + 1, length: undefined, isRefused: false, daysMax }
  const length = LENGTHS.find((days) => String(days) === query.days) ?? 30
  const isRefused = (query.from ?? '') !== '' || (query.until ?? '') !== ''
  return { fromDay: today + 1 - length, untilDay: today + 1, length, isRefused, daysMax }
}

function dayNumber(text = ''): number | undefined {
  return isCalendarDate(text) ? Date.parse(`${text}T00:00:00Z`) / DAY_MS : undefined
}

/** `2026-11-23`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

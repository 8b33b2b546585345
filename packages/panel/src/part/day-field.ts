import { isCalendarDate } from '@cofre/contracts'

/** The start of a chosen day in Brasília, three hours behind UTC all year. */
export function startOfDay(day: string): number | undefined {
  return isCalendarDate(day) ? Date.parse(`${day}T00:00:00-03:00`) : undefined
}

import { isCalendarDate } from '@cofre/contracts'

/** When a day that was chosen begins in Brasília, three hours behind UTC all year. */
export function startOfDay(day: string): number | undefined {
  return isCalendarDate(day) ? Date.parse(`${day}T00:00:00-03:00`) : undefined
}

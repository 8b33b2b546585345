const FEBRUARY = 2
const MONTHS_OF_30_DAYS = [4, 6, 9, 11]

/** Whether the text is a day of the Gregorian calendar as `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8))
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(Number(text.slice(0, 4)), month)
}

function daysOf(year: number, month: number): number {
  if (month === FEBRUARY) return isLeap(year) ? 29 : 28
  return MONTHS_OF_30_DAYS.includes(month) ? 30 : 31
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

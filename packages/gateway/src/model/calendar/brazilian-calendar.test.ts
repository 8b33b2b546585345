import { describe, expect, it } from 'vitest'
import { boletoDeadlineMs, isBusinessDay, nextBusinessDay } from './brazilian-calendar.js'

const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25']
const SINCE_2024 = [...FIXED, '11-20']
/**
 * Carnival Monday and Tuesday, Good Friday, Corpus Christi, calculated by hand from the date of
 * Easter.
 */
const YEARS: readonly [year: string, fixed: readonly string[], movable: readonly string[]][] = [
  ['2023', FIXED, ['02-20', '02-21', '04-07', '06-08']], // Easter 04-09
  ['2024', SINCE_2024, ['02-12', '02-13', '03-29', '05-30']], // 03-31
  ['2025', SINCE_2024, ['03-03', '03-04', '04-18', '06-19']], // 04-20
  ['2026', SINCE_2024, ['02-16', '02-17', '04-03', '06-04']], // 04-05
  ['2027', SINCE_2024, ['02-08', '02-09', '03-26', '05-27']], // 03-28
  ['2028', SINCE_2024, ['02-28', '02-29', '04-14', '06-15']], // 04-16
  ['2029', SINCE_2024, ['02-12', '02-13', '03-30', '05-31']], // 04-01
  ['2030', SINCE_2024, ['03-04', '03-05', '04-19', '06-20']], // 04-21
  ['2038', SINCE_2024, ['03-08', '03-09', '04-23', '06-24']], // 04-25, the latest
]

function daysOf(year: string): string[] {
  const days: string[] = []
  for (let time = Date.parse(`${year}-01-01`); ; time += 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10)
    if (!day.startsWith(year)) return days
    days.push(day)
  }
}

describe('isBusinessDay', () => {
  it.each(YEARS)('knows every day of %s', (year, fixed, movable) => {
    const holidays = new Set([...fixed, ...movable].map((day) => `${year}-${day}`))
    const expected = daysOf(year).filter((day) => {
      return ![0, 6].includes(new Date(day).getUTCDay()) && !holidays.has(day)
    })
    expect(daysOf(year).filter(isBusinessDay)).toEqual(expected)
  })

  it.each(['2026-02-30', '2026-13-01', '20261121', '', 'tomorrow'])(
    'refuses "%s", which is no day',
    (day) => {
      expect(() => isBusinessDay(day)).toThrow(RangeError)
      expect(() => nextBusinessDay(day)).toThrow(RangeError)
      expect(() => boletoDeadlineMs(day)).toThrow(RangeError)
    },
  )
})

describe('nextBusinessDay', () => {
  it.each([
    ['2026-11-19', '2026-11-19', 'a Thursday'],
    ['2026-11-20', '2026-11-23', 'a holiday on a Friday'],
    ['2026-11-21', '2026-11-23', 'a Saturday'],
    ['2027-02-06', '2027-02-10', 'the Saturday of Carnival'],
    ['2028-02-28', '2028-03-01', 'Carnival in a leap year'],
    ['2024-03-29', '2024-04-01', 'Good Friday, over Easter and the end of a month'],
    ['2027-12-31', '2027-12-31', 'the last day of a year'],
    ['2027-01-01', '2027-01-04', 'New Year on a Friday'],
    ['2028-12-30', '2029-01-02', 'over New Year'],
  ])('of %s is %s: %s', (day, next) => {
    expect(nextBusinessDay(day)).toBe(next)
  })
})

describe('boletoDeadlineMs', () => {
  it.each([
    ['2026-11-24', '2026-12-03T03:00:00Z', 'a Tuesday'],
    ['2026-11-20', '2026-12-02T03:00:00Z', 'a holiday, moved to the 23rd'],
    ['2026-12-26', '2027-01-06T03:00:00Z', 'a Saturday, moved to the 28th'],
    ['2027-02-06', '2027-02-19T03:00:00Z', 'Carnival, moved to Ash Wednesday'],
    ['2028-02-22', '2028-03-02T03:00:00Z', 'over a 29th of February'],
  ])('of %s is %s: %s', (dueDate, deadline) => {
    expect(new Date(boletoDeadlineMs(dueDate)).toISOString()).toBe(deadline.replace('Z', '.000Z'))
  })
})

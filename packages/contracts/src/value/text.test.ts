import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCalendarDate, isPlainText } from './text.js'

describe('isPlainText', () => {
  it.each(['', 'Loja da Ana', 'Café & Cia. – 2', 'متجر', '店'])('takes %s', (text) => {
    expect(isPlainText(text)).toBe(true)
  })

  it.each(['\n', '\u202e', '\u2066', '\u200b', '\u00ad', '\ufeff', '\u2028', '\u0000'])(
    'refuses what is not seen: %j',
    (text) => {
      expect(isPlainText(`Loja${text}Ana`)).toBe(false)
    },
  )
})

describe('isCalendarDate', () => {
  it.each(['2026-11-21', '2000-02-29', '2024-02-29', '1900-02-28', '0001-01-01', '9999-12-31'])(
    'takes %s',
    (text) => {
      expect(isCalendarDate(text)).toBe(true)
    },
  )

  it.each([
    '',
    '2026-02-29',
    '1900-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '2026-1-2',
    '26-01-02',
    '02026-01-02',
    '+02026-01-02',
    '-2026-01-02',
    '2026/01/02',
    '02-01-2026',
    '20260102',
    ' 2026-01-02',
    '2026-01-02 ',
    '2026-01-02\n',
    '2026-01-02T00:00:00Z',
    '٢٠٢٦-٠١-٠٢',
  ])('refuses %j', (text) => {
    expect(isCalendarDate(text)).toBe(false)
  })

  it('takes exactly the days that the calendar has', () => {
    const pad = (part: number): string => String(part).padStart(2, '0')
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 9999 }),
        fc.nat(99),
        fc.nat(99),
        (year, month, day) => {
          const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
          const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
          const exists = day >= 1 && day <= (lengths[month - 1] ?? 0)
          expect(isCalendarDate(`${year}-${pad(month)}-${pad(day)}`)).toBe(exists)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

import { DAY_MS, HOUR_MS } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { declineOf } from './decline.js'

const declined = (merchantAdviceCode: string | undefined, mayRetry = true) =>
  declineOf({ reason: 'insufficient_funds', mayRetry, code: '51', merchantAdviceCode }).retry

describe('Mastercard’s merchant advice', () => {
  it.each([
    ['24', HOUR_MS],
    ['25', DAY_MS],
    ['26', 2 * DAY_MS],
    ['27', 4 * DAY_MS],
    ['28', 6 * DAY_MS],
    ['29', 8 * DAY_MS],
    ['30', 10 * DAY_MS],
  ])('%s has the card wait, charged when broken since October 2026', (advice, afterMs) => {
    expect(declined(advice)).toEqual({ kind: 'allowed', afterMs, by: 'brand' })
  })

  it('02 advises three days, for which no fee is charged', () => {
    expect(declined('02')).toEqual({ kind: 'allowed', afterMs: 3 * DAY_MS })
  })

  it.each(['03', '21', '03 : Do not try again'])('%s forbids a retry', (advice) => {
    expect(declined(advice)).toEqual({ kind: 'never' })
  })

  it.each(['06', '07', '08', '90', '99'])('%s, in force since 10 November 2026', (advice) => {
    expect(declined(advice)).toEqual({ kind: 'unknown' })
  })

  it('45 asks for a PIN since 23 October 2026, and no shop on the web has one', () => {
    expect(declined('45')).toEqual({ kind: 'unknown' })
  })

  it.each(['05', '22', '42', '77', 'X1'])(
    '%s, which no list allows, leads to no retry',
    (advice) => {
      expect(declined(advice)).toEqual({ kind: 'unknown' })
    },
  )

  it.each([undefined, '', '01', '04', '40', '41', '43'])('%s leaves it to the code', (advice) => {
    expect(declined(advice)).toEqual({ kind: 'allowed', afterMs: DAY_MS })
  })

  it.each([undefined, '02', '24', '06', '01'])(
    '%s allows nothing that the code forbids',
    (advice) => {
      expect(declined(advice, false)).toEqual({ kind: 'never' })
    },
  )
})

describe('A code that no table has', () => {
  const unknown = (merchantAdviceCode?: string) =>
    declineOf({ reason: 'generic', mayRetry: undefined, code: 'Z9', merchantAdviceCode }).retry

  it('leads to no retry by itself', () => {
    expect(unknown()).toEqual({ kind: 'unknown' })
    expect(unknown('01')).toEqual({ kind: 'unknown' })
  })

  it('is retried by the brand’s advice', () => {
    expect(unknown('24')).toEqual({ kind: 'allowed', afterMs: HOUR_MS, by: 'brand' })
    expect(unknown('03')).toEqual({ kind: 'never' })
  })
})

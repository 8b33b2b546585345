import { DAY_MS, HOUR_MS, minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import {
  authorizedCapture,
  capturedSums,
  isAuthorized,
  paymentStatusOf,
  reminderAtMs,
} from './capture.js'

const NOW_MS = Date.UTC(2026, 10, 21, 12)

describe('an authorization', () => {
  it.each([
    ['a day before an end in 7 days', 7 * DAY_MS, 6 * DAY_MS],
    ['a day before an end in 3 days', 3 * DAY_MS, 2 * DAY_MS],
    ['at the half of a shorter time', 2 * DAY_MS, DAY_MS],
    ['at the half of an hour', HOUR_MS, HOUR_MS / 2],
    ['at once if its end has passed', -DAY_MS, 0],
  ])('is left to the rule %s', (_, endsAfterMs, beforeMs) => {
    const capture = authorizedCapture(NOW_MS, NOW_MS + endsAfterMs)
    expect(capture).toEqual({
      state: 'authorized',
      authorizedAtMs: NOW_MS,
      beforeMs: NOW_MS + beforeMs,
      endsAtMs: NOW_MS + endsAfterMs,
    })
  })

  it.each([
    ['two days before its rule acts', 6 * DAY_MS, 4 * DAY_MS],
    ['at the half of four days', 4 * DAY_MS, 2 * DAY_MS],
    ['at the half of a shorter time', DAY_MS, DAY_MS / 2],
    ['at once without time', 0, 0],
  ])('is reminded of %s', (_, beforeMs, remindedMs) => {
    const capture = { ...authorizedCapture(NOW_MS, undefined), beforeMs: NOW_MS + beforeMs }
    expect(reminderAtMs(capture)).toBe(NOW_MS + remindedMs)
  })

  it('without an acquirer ends after 7 days', () => {
    expect(authorizedCapture(NOW_MS, undefined)).toMatchObject({
      beforeMs: NOW_MS + 6 * DAY_MS,
      endsAtMs: NOW_MS + 7 * DAY_MS,
    })
  })

  it.each([
    ['PENDING', 'authorized', 'AUTHORIZED'],
    ['UNDER-REVIEW', 'authorized', 'AUTHORIZED'],
    ['COMPLETE', 'captured', 'COMPLETE'],
    ['CANCELLED', 'released', 'CANCELLED'],
    ['PENDING', undefined, 'PENDING'],
  ] as const)('of a %s payment that is %s shows as %s', (status, state, shown) => {
    const capture = state && { ...authorizedCapture(NOW_MS, undefined), state }
    expect(paymentStatusOf({ status, capture })).toBe(shown)
    expect(isAuthorized({ status, capture })).toBe(shown === 'AUTHORIZED')
  })

  it('has charged what was captured, and otherwise the whole', () => {
    const whole = { amountMinor: minorUnits(10_000), chargedMinor: minorUnits(10_478) }
    const part = { amountMinor: minorUnits(4_000), chargedMinor: minorUnits(4_191) }
    const authorized = authorizedCapture(NOW_MS, undefined)
    expect(capturedSums(whole)).toEqual(whole)
    expect(capturedSums({ ...whole, capture: authorized })).toEqual(whole)
    expect(capturedSums({ ...whole, capture: { ...authorized, ...part } })).toEqual(part)
  })
})

import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CallPriority, createCallBudget, pauseAskedFor } from './call-budget.js'

let nowMs: number
const clock = { now: () => nowMs }
beforeEach(() => {
  nowMs = Date.parse('2026-11-22T12:00:00Z')
})

describe('a budget of calls', () => {
  it('grants no more than its number in any minute', () => {
    const budget = createCallBudget({ clock })
    const granted: number[] = []
    for (let second = 0; second < 300; second++) {
      for (let call = 0; call < 3; call++)
        if (budget.take('waited_for').kind === 'granted') granted.push(nowMs)
      nowMs += 1000
    }
    for (const from of granted)
      expect(
        granted.filter((at) => at >= from && at < from + MINUTE_MS).length,
      ).toBeLessThanOrEqual(60)
    expect(granted.length).toBe(300)
  })

  it('says when the next call may be made', () => {
    const budget = createCallBudget({ clock, callsPerMinute: 2 })
    budget.take('waited_for')
    nowMs += 10_000
    budget.take('waited_for')
    nowMs += 5_000
    const denied = { kind: 'denied', reason: 'budget_spent', retryAfterMs: 45_000 }
    expect(budget.take('waited_for')).toEqual(denied)
    nowMs += 45_000
    expect(budget.take('waited_for')).toEqual({ kind: 'granted' })
  })

  it('keeps a third for those who wait', () => {
    const budget = createCallBudget({ clock })
    const count = (priority: CallPriority): number =>
      Array.from({ length: 100 }, () => budget.take(priority)).filter(
        ({ kind }) => kind === 'granted',
      ).length
    expect(count('background')).toBe(40)
    expect(count('waited_for')).toBe(20)
  })

  it('is not blocked by a clock that is set back', () => {
    const budget = createCallBudget({ clock, callsPerMinute: 1 })
    budget.take('waited_for')
    nowMs -= 5 * HOUR_MS
    expect(budget.take('waited_for').kind).toBe('granted')
    nowMs += 5 * HOUR_MS
    budget.pause(MINUTE_MS)
    nowMs -= 5 * HOUR_MS
    expect(budget.take('waited_for')).toMatchObject({ retryAfterMs: HOUR_MS })
  })

  it('pauses no longer than an hour, and no shorter for a shorter wish', () => {
    const budget = createCallBudget({ clock })
    budget.pause(48 * HOUR_MS)
    budget.pause(1)
    const denied = { kind: 'denied', reason: 'paused_by_provider', retryAfterMs: HOUR_MS }
    expect(budget.take('waited_for')).toEqual(denied)
    nowMs += HOUR_MS
    expect(budget.take('waited_for').kind).toBe('granted')
  })
})

describe('the pause that an answer asks for', () => {
  it.each([
    [429, '7', 7000],
    [429, ' 7 ', 7000],
    [503, '0', 0],
    [429, 'Sun, 22 Nov 2026 12:00:30 GMT', 30_000],
    [429, 'Sun, 22 Nov 2026 11:00:00 GMT', 0],
    [429, '999999', HOUR_MS],
    [429, undefined, 10_000],
    [429, 'soon', 10_000],
    [503, undefined, undefined],
    [503, 'soon', undefined],
    [500, '7', undefined],
    [200, '7', undefined],
  ])('status %i, Retry-After %s', (status, header, expected) => {
    expect(pauseAskedFor(status, header, nowMs)).toBe(expected)
  })
})

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CallPriority, createCallBudget, pauseAskedFor } from './call-budget.js'

let nowMs: number
const clock = { now: () => nowMs }
beforeEach(() => {
  nowMs = Date.parse('2026-11-22T12:00:00Z')
})

const PRIORITIES: readonly CallPriority[] = ['later', 'spare', 'background', 'waited_for', 'sweep']

interface Order {
  readonly paidAtMs: number
  readonly looks: number[]
  isKnown: boolean
}

/**
 * Half an hour of orders, each paid after 90 seconds, with refunds: the gateway's calls to one
 * account's bank. The sweep asks last.
 */
function halfAnHour(ordersPerMinute: number): { refused: number; late: number } {
  const budget = createCallBudget({ clock })
  const isGranted = (priority: CallPriority): boolean => budget.take(priority).kind === 'granted'
  const payersPerMinute = Math.max(20, ordersPerMinute)
  const beganMs = nowMs
  const orders: Order[] = []
  let payers = 0
  let refused = 0
  let late = 0
  let sweepAtMs = nowMs
  for (; nowMs < beganMs + 35 * MINUTE_MS; nowMs += SECOND_MS) {
    const isOpen = nowMs < beganMs + 30 * MINUTE_MS
    const minutes = (nowMs - beganMs) / MINUTE_MS
    for (const order of orders) lookAt(order)
    if (nowMs % (10 * SECOND_MS) === 0) isGranted('background')
    for (; isOpen && payers < minutes * payersPerMinute; payers++)
      // A rush competes with the look-ups of its own first seconds.
      if (!isGranted('waited_for') && minutes > 1) refused += 1
    for (; isOpen && orders.length < minutes * ordersPerMinute;)
      orders.push({
        paidAtMs: nowMs + 90 * SECOND_MS,
        looks: [5, 15, 60, 90].map((seconds) => nowMs + seconds * SECOND_MS),
        isKnown: false,
      })
    if (nowMs >= sweepAtMs) sweepAtMs = nowMs + sweep()
    late += orders.filter(
      ({ isKnown, paidAtMs }) => !isKnown && nowMs - paidAtMs === 2 * MINUTE_MS,
    ).length
  }
  return { refused, late }

  function lookAt(order: Order): void {
    const [dueMs = Infinity] = order.looks
    if (order.isKnown || dueMs > nowMs) return
    const permission = budget.take('spare')
    if (permission.kind === 'denied') {
      order.looks[0] = nowMs + Math.max(permission.retryAfterMs, 10 * SECOND_MS)
      return
    }
    order.looks.shift()
    order.isKnown = order.paidAtMs <= nowMs
  }

  /**
   * Lists the payments of the last ten and a half minutes.
   * @returns the pause until the next
   */
  function sweep(): number {
    const sinceMs = nowMs - 10.5 * MINUTE_MS
    const paid = orders.filter(({ paidAtMs }) => paidAtMs <= nowMs && paidAtMs > sinceMs)
    for (let page = 0; page === 0 || page * 100 < paid.length; page++) {
      const permission = budget.take('sweep')
      if (permission.kind === 'denied') return Math.max(permission.retryAfterMs, 30 * SECOND_MS)
    }
    for (const order of paid) order.isKnown = true
    return 30 * SECOND_MS
  }
}

describe('a budget of calls', () => {
  it('grants no more than its number in any minute', () => {
    const budget = createCallBudget({ clock })
    const granted: number[] = []
    for (let second = 0; second < 300; second++) {
      for (const priority of PRIORITIES)
        if (budget.take(priority).kind === 'granted') granted.push(nowMs)
      nowMs += 1000
    }
    for (const from of granted)
      expect(
        granted.filter((at) => at >= from && at < from + MINUTE_MS).length,
      ).toBeLessThanOrEqual(60)
    // Calls reserved for others, unused at first, are made later.
    expect(granted.length).toBeGreaterThan(290)
  })

  it('reports when the next call may be made', () => {
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

  it.each<[CallPriority[], number[]]>([
    [
      ['waited_for', 'background', 'sweep', 'spare'],
      [47, 3, 10, 0],
    ],
    [
      ['spare', 'waited_for', 'sweep', 'background'],
      [27, 20, 10, 3],
    ],
    [
      ['sweep', 'background', 'spare', 'waited_for'],
      [37, 3, 0, 20],
    ],
    [
      ['background', 'sweep', 'spare', 'waited_for'],
      [30, 10, 0, 20],
    ],
  ])('reserves a third for payers who wait, and a few for sweeps: %j', (priorities, counts) => {
    const budget = createCallBudget({ clock })
    const count = (priority: CallPriority): number =>
      Array.from({ length: 100 }, () => budget.take(priority)).filter(
        ({ kind }) => kind === 'granted',
      ).length
    expect(priorities.map(count)).toEqual(counts)
  })

  it('leaves two thirds of the calls to others before later work', () => {
    const budget = createCallBudget({ clock })
    const count = (priority: CallPriority): number =>
      Array.from({ length: 100 }, () => budget.take(priority)).filter(
        ({ kind }) => kind === 'granted',
      ).length
    expect(count('later')).toBe(20)
    expect(count('spare')).toBe(7)
    nowMs += MINUTE_MS
    for (let call = 0; call < 20; call++) budget.take('waited_for')
    expect(count('later')).toBe(0)
  })

  it('reports when a call that is reserved for a sweep may be made', () => {
    const budget = createCallBudget({ clock, callsPerMinute: 10 })
    expect(budget.take('sweep').kind).toBe('granted')
    nowMs += 10_000
    for (let call = 0; call < 9; call++) budget.take('waited_for')
    expect(budget.take('sweep')).toMatchObject({ retryAfterMs: 50_000 })
  })

  it.each([14, 20, 45])(
    'lets all payments of %i orders a minute be known soon, and refuses no payer',
    (ordersPerMinute) => {
      expect(halfAnHour(ordersPerMinute)).toMatchObject({ refused: 0, late: 0 })
    },
  )

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

  it('pauses no longer than an hour, and no shorter for a second, shorter pause', () => {
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

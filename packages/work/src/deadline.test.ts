import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ACQUIRER_NEEDS_MS, BANK_NEEDS_MS, SHOP_WAITS_MS, beginDeadline } from './deadline.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('allows what still fits, to the millisecond', () => {
  const deadline = beginDeadline(1000)
  vi.advanceTimersByTime(400)
  expect([deadline.leftMs(), deadline.allows(600), deadline.allows(601)]).toEqual([
    600,
    true,
    false,
  ])
})

it('allows nothing when it is past', () => {
  const deadline = beginDeadline()
  vi.advanceTimersByTime(SHOP_WAITS_MS + 1)
  expect([deadline.leftMs(), deadline.allows(0)]).toEqual([-1, false])
})

it('does not move when the clock of the machine is set', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  const deadline = beginDeadline(1000)
  vi.setSystemTime(0)
  expect(deadline.leftMs()).toBe(1000)
})

it.each([
  ['acquirer', ACQUIRER_NEEDS_MS, 10_000],
  ['bank', BANK_NEEDS_MS, 9000],
])('leaves enough of the shop’s 15 seconds for one more %s', (_, neededMs, askedByMs) => {
  const deadline = beginDeadline()
  vi.advanceTimersByTime(askedByMs)
  expect(deadline.allows(neededMs)).toBe(true)
  vi.advanceTimersByTime(1)
  expect(deadline.allows(neededMs)).toBe(false)
})

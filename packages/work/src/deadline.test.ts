import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SHOP_WAITS_MS, beginDeadline } from './deadline.js'

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

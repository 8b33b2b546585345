import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countByMinute } from './outage-log.js'

describe('countByMinute', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is due with the first event, and then with the first after a minute', () => {
    const count = countByMinute()
    const logged: number[] = []
    for (let second = 0; second <= 120; second++) {
      logged.push(count.add())
      vi.advanceTimersByTime(1000)
    }
    expect(logged.filter((number) => number > 0)).toEqual([1, 60, 60])
  })

  it('starts again at zero when it is taken, and is due no sooner', () => {
    const count = countByMinute()
    count.add()
    count.add()
    expect(count.take()).toBe(1)
    expect(count.take()).toBe(0)
    expect(count.add()).toBe(0)
    vi.advanceTimersByTime(60_000)
    expect(count.add()).toBe(2)
  })
})

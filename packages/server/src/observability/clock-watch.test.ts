import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchClock } from './machine-watch.js'

describe('watchClock', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('tells each jump of the clock, forwards and back, and nothing else', () => {
    let setByMs = 0
    const warnings: unknown[] = []
    const log = {
      info: () => undefined,
      warn: (fields: unknown) => warnings.push(fields),
      error: () => undefined,
    }
    let jumps = 0
    const stop = watchClock({ clock: { now: () => Date.now() + setByMs }, log }, () => {
      jumps += 1
    })
    vi.advanceTimersByTime(60_000)
    expect(jumps).toBe(0)
    setByMs = 60_000
    vi.advanceTimersByTime(60_000)
    setByMs = -3_600_000
    vi.advanceTimersByTime(60_000)
    expect(warnings).toEqual([{ jumpMs: 60_000 }, { jumpMs: -3_660_000 }])
    expect(jumps).toBe(2)
    stop()
  })
})

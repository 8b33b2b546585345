import { openSync } from 'node:fs'
import { devNull } from 'node:os'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchClock, watchDescriptors } from './machine-watch.js'

describe('watchClock', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('logs each jump of the clock, forwards and back, and nothing else', () => {
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

describe('watchDescriptors', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('logs at once that none is left, then once a minute, and that there are some again', () => {
    let areLeft = true
    const messages: string[] = []
    const write = (_: unknown, message: string): void => {
      messages.push(message)
    }
    const stop = watchDescriptors({ info: write, warn: write, error: write }, () => {
      if (areLeft) return openSync(devNull, 'r')
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    })
    vi.advanceTimersByTime(MINUTE_MS)
    expect(messages).toEqual([])
    areLeft = false
    vi.advanceTimersByTime(SECOND_MS)
    expect(messages).toEqual([expect.stringMatching(/^no file descriptor is left: .*ulimit -n/)])
    vi.advanceTimersByTime(2 * MINUTE_MS)
    expect(messages.slice(1)).toEqual(Array(2).fill('no file descriptor is left'))
    areLeft = true
    vi.advanceTimersByTime(SECOND_MS)
    expect(messages.at(-1)).toBe('there are file descriptors again')
    stop()
  })
})

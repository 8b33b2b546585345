import { openSync } from 'node:fs'
import { devNull } from 'node:os'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchDescriptors } from './machine-watch.js'

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

import { MINUTE_MS } from '@cofre/contracts'
import type { Swept } from '@cofre/vault'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSweeper } from './vault.js'

const SWEPT: Swept = { sessions: 0, directTokens: 0 }

describe('The sweeper', () => {
  const errors: unknown[] = []
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: unknown) => errors.push(fields),
  }

  beforeEach(() => {
    vi.useFakeTimers()
    errors.splice(0)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('sweeps once a minute, and goes on after a failure', async () => {
    const failure = new Error('the disk is full')
    const sweep = vi.fn(() => Promise.reject<Swept>(failure))
    const stop = startSweeper({ sweep }, log)
    await vi.advanceTimersByTimeAsync(3 * MINUTE_MS)
    expect(sweep).toHaveBeenCalledTimes(3)
    expect(errors).toEqual([{ error: failure }, { error: failure }, { error: failure }])
    await stop()
  })

  it('begins no sweep while one is under way, and stops when that is over', async () => {
    const slow = Promise.withResolvers<Swept>()
    const sweep = vi.fn(() => slow.promise)
    const stop = startSweeper({ sweep }, log)
    await vi.advanceTimersByTimeAsync(3 * MINUTE_MS)
    expect(sweep).toHaveBeenCalledTimes(1)
    let hasStopped = false
    const stopping = stop().then(() => (hasStopped = true))
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(hasStopped).toBe(false)
    slow.resolve(SWEPT)
    await stopping
    expect(sweep).toHaveBeenCalledTimes(1)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startVaultJob } from './vault-job.js'

describe('The job of a vault', () => {
  const lines: object[] = []
  const note = (fields: object) => lines.push(fields)
  const log = { info: note, warn: note, error: note }

  beforeEach(() => {
    vi.useFakeTimers()
    lines.splice(0)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('runs every few seconds, says how long ago, and goes on after a failure', async () => {
    const followUpCharges = vi.fn<() => Promise<void>>(() => Promise.resolve())
    const job = startVaultJob({ followUpCharges }, log)
    await vi.advanceTimersByTimeAsync(9000)
    expect(followUpCharges).toHaveBeenCalledTimes(5)
    expect(job.sinceLastRoundMs()).toBe(1000)
    followUpCharges.mockRejectedValueOnce(new Error('the database is away'))
    await vi.advanceTimersByTimeAsync(3000)
    expect(job.sinceLastRoundMs()).toBe(4000)
    expect(lines).toMatchObject([{ job: 'card charges' }])
    await vi.advanceTimersByTimeAsync(4000)
    expect(job.sinceLastRoundMs()).toBeLessThan(4000)
    await job.stop()
  })

  it('begins nothing more once it is stopped, and ends when what is under way is over', async () => {
    const slow = Promise.withResolvers<undefined>()
    const followUpCharges = vi.fn(() => slow.promise)
    const job = startVaultJob({ followUpCharges }, log)
    let hasStopped = false
    const stopping = job.stop().then(() => (hasStopped = true))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(hasStopped).toBe(false)
    slow.resolve(undefined)
    await stopping
    expect(followUpCharges).toHaveBeenCalledTimes(1)
  })
})

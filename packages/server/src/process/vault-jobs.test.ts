import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startVaultJobs } from './vault-jobs.js'

const NOTHING = () => Promise.resolve()
const IDLE = {
  followUpCharges: NOTHING,
  pursueReturns: NOTHING,
  makeLooks: NOTHING,
  applyEvents: NOTHING,
}

describe('The jobs of a vault', () => {
  const lines: { readonly job?: string }[] = []
  const note = (fields: object) => lines.push(fields)
  const log = { info: note, warn: note, error: note }

  beforeEach(() => {
    vi.useFakeTimers()
    lines.splice(0)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('run every few seconds, and go on after a failure, which holds up no other', async () => {
    const failing = vi.fn(() => Promise.reject(new Error('the acquirer is away')))
    const working = vi.fn(NOTHING)
    const jobs = startVaultJobs({ ...IDLE, followUpCharges: failing, makeLooks: working }, log)
    await vi.advanceTimersByTimeAsync(9000)
    expect(working).toHaveBeenCalledTimes(5)
    expect(failing.mock.calls.length).toBeGreaterThan(1)
    expect(lines).toMatchObject([{ job: 'card charges' }])
    await jobs.stop()
  })

  it('say how long ago each has last run', async () => {
    const never = Promise.withResolvers<undefined>()
    const jobs = startVaultJobs({ ...IDLE, pursueReturns: () => never.promise }, log)
    await vi.advanceTimersByTimeAsync(60_000)
    const ages = jobs.roundAgesMs()
    expect(ages.get('card refunds')).toBe(60_000)
    expect(ages.get('card looks')).toBeLessThan(5000)
    expect(jobs.sinceLastRoundMs()).toBe(60_000)
    never.resolve(undefined)
    await jobs.stop()
  })

  it('begin nothing more once they are stopped, and end when what is under way is over', async () => {
    const slow = Promise.withResolvers<undefined>()
    const pursueReturns = vi.fn(() => slow.promise)
    const jobs = startVaultJobs({ ...IDLE, pursueReturns }, log)
    let hasStopped = false
    const stopping = jobs.stop().then(() => (hasStopped = true))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(hasStopped).toBe(false)
    slow.resolve(undefined)
    await stopping
    expect(pursueReturns).toHaveBeenCalledTimes(1)
  })
})

import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { startDueWork } from '@cofre/work'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { VaultUnreachableError } from './vault-error.js'

describe('VaultUnreachableError', () => {
  it.each([
    ['what failed', new Error('connect ECONNREFUSED 10.0.0.5:8086'), 'ECONNREFUSED 10.0.0.5:8086'],
    [
      'the code when every address failed',
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      'not reached: ECONNREFUSED',
    ],
  ])('reports %s', (_, cause, reported) => {
    expect(new VaultUnreachableError(cause).message).toContain(reported)
  })

  it('leaves a worker alive that asks the vault for three minutes', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const run = vi.fn(() => Promise.reject(new VaultUnreachableError(refused)))
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const work = startDueWork([{ name: 'card changes', everyMs: SECOND_MS, run }], { log })
    await vi.advanceTimersByTimeAsync(3 * MINUTE_MS)
    // The longest pause of failing work.
    expect(work.sinceLastRoundMs()).toBeLessThanOrEqual(5 * SECOND_MS)
    expect(run.mock.calls.length).toBeGreaterThan(30)
  })
})

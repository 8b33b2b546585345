import type { Log } from '@cofre/contracts'
import { describe, expect, it, vi } from 'vitest'
import { startBankWorker } from './bank-worker.js'

const never = () => Promise.reject(new Error('nobody asks this'))

describe('The bank’s worker in an outage', () => {
  it('logs it once, retries with growing pauses, and goes on', async () => {
    const lines: string[] = []
    const write: Log['info'] = ({ job, environment, failures }, message) =>
      lines.push(`${message} ${JSON.stringify({ job, environment, failures })}`)
    const claims: number[] = []
    const worker = startBankWorker({
      events: {
        claimDue() {
          claims.push(performance.now())
          return claims.length < 4 ? Promise.reject(new Error('gone')) : Promise.resolve([])
        },
        plan: never,
        isKnown: never,
        postpone: never,
        countDue: never,
        done: never,
      },
      backOffice: { report: never, reportRefund: never },
      clock: { now: () => 0 },
      machineClock: { now: () => 0 },
      log: { info: write, warn: write, error: write },
    })
    await vi.waitUntil(() => claims.length >= 5, 60_000)
    await worker.stop()
    const [first = 0, second = 0, third = 0, fourth = 0] = claims
    // A little less than was asked for: a timer counts whole milliseconds.
    expect(second - first).toBeGreaterThan(490)
    expect(third - second).toBeGreaterThan(990)
    expect(fourth - third).toBeGreaterThan(1990)
    expect(lines).toEqual([
      'a job failed {"job":"bank","environment":"sandbox","failures":1}',
      'a job works again {"job":"bank","environment":"sandbox","failures":2}',
    ])
  })
})

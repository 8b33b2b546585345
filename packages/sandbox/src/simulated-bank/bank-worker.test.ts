import type { Log } from '@cofre/contracts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startBankWorker } from './bank-worker.js'

const never = () => Promise.reject(new Error('nobody asks this'))

describe('The bank’s worker in an outage', () => {
  it('logs it once, retries with growing pauses, and recovers', async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
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
        rest: never,
        countDue: never,
        done: never,
      },
      reports: { report: never, reportRefund: never },
      clock: { now: () => 0 },
      machineClock: { now: () => 0 },
      log: { info: write, warn: write, error: write },
    })
    while (claims.length < 5) await vi.advanceTimersToNextTimerAsync()
    await worker.stop()
    const pauses = claims.slice(1).map((atMs, i) => atMs - (claims[i] ?? 0))
    expect(pauses.slice(0, 3)).toEqual([500, 1000, 2000])
    expect(lines).toEqual([
      'a job failed {"job":"bank","environment":"sandbox","failures":1}',
      'a job works again {"job":"bank","environment":"sandbox","failures":2}',
    ])
  })
})

import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { SANDBOX_MIGRATIONS } from '../database/open-sandbox-database.js'
import type { SandboxTables } from '../database/sandbox-tables.js'
import { type TestClock, startTestClock } from './test-clock.js'
import { createSqlTestClockStore } from './test-clock-sql.js'

const NOW_MS = Date.UTC(2026, 10, 21, 12)

const startOn = (
  store: ReturnType<typeof createSqlTestClockStore>,
  reported: string[],
): Promise<TestClock> =>
  startTestClock({
    store,
    machineClock: { now: () => NOW_MS },
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: ({ job, environment }, message) =>
        reported.push(`${message} ${JSON.stringify({ job, environment })}`),
    },
  })

for (const engine of TEST_ENGINES) {
  describe(`the test clock on ${engine.name}`, () => {
    let database: Database<SandboxTables>
    const clocks: TestClock[] = []
    let reported: string[]
    beforeEach(async () => {
      reported = []
      database = await engine.open<SandboxTables>(SANDBOX_MIGRATIONS)
    })
    afterEach(async () => {
      await Promise.all(clocks.splice(0).map((clock) => clock.stop()))
      await database.close()
    })

    const start = async (store = createSqlTestClockStore(database)): Promise<TestClock> => {
      const clock = await startOn(store, reported)
      clocks.push(clock)
      return clock
    }

    it('shows the machine’s time until it is moved', async () => {
      expect((await start()).now()).toBe(NOW_MS)
    })

    it('adds up what passes, and remembers it', async () => {
      const clock = await start()
      await Promise.all([clock.advance(MINUTE_MS), clock.advance(2 * MINUTE_MS)])
      expect(clock.now()).toBe(NOW_MS + 3 * MINUTE_MS)
      expect((await start()).offsetMs()).toBe(3 * MINUTE_MS)
    })

    it('goes no further than five years ahead in sum, in all processes', async () => {
      const [here, there] = [await start(), await start()]
      const years = Array.from({ length: 4 }, () => 365 * DAY_MS)
      const moves = await Promise.allSettled(
        years.flatMap((yearMs) => [here.advance(yearMs), there.advance(yearMs)]),
      )
      expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
      expect(moves.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: {
          failures: [
            { name: 'sandbox_request_invalid', property: 'seconds', constraint: 'maximum' },
          ],
        },
      })
      expect((await start()).offsetMs()).toBe(5 * 365 * DAY_MS)
    })

    it('takes no first step beyond five years', async () => {
      const clock = await start()
      await expect(clock.advance(6 * 365 * DAY_MS)).rejects.toThrow()
      expect(clock.offsetMs()).toBe(0)
    })

    it('follows another process that moves it', async () => {
      const here = await start()
      const there = await start()
      await there.advance(MINUTE_MS)
      await vi.waitFor(() => {
        expect(here.offsetMs()).toBe(MINUTE_MS)
      }, 60_000)
    })

    it('stops once the read under way is over, and does not log its failure', async () => {
      const real = createSqlTestClockStore(database)
      const reading = Promise.withResolvers<number>()
      let reads = 0
      const clock = await start({
        ...real,
        offsetMs() {
          reads++
          return reads === 1 ? real.offsetMs() : reading.promise
        },
      })
      await vi.waitUntil(() => reads === 2, 60_000)
      let isStopped = false
      const stopping = clock.stop().then(() => (isStopped = true))
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(isStopped).toBe(false)
      reading.reject(new Error('the database is closed'))
      await stopping
      expect(reported).toEqual([])
    })
  })
}

it('the test clock keeps running when the database cannot be read for a while', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const reported: string[] = []
  let failures = 0
  let isBroken = false
  const offsetMs = () => {
    if (!isBroken) return Promise.resolve(failures === 0 ? 0 : MINUTE_MS)
    failures++
    return Promise.reject(new Error('gone'))
  }
  const clock = await startOn({ offsetMs, add: () => Promise.resolve(undefined) }, reported)
  isBroken = true
  while (failures < 2) await vi.advanceTimersToNextTimerAsync()
  expect(clock.now()).toBe(NOW_MS)
  expect(reported).toEqual(['a job failed {"job":"test clock","environment":"sandbox"}'])
  isBroken = false
  while (clock.offsetMs() === 0) await vi.advanceTimersToNextTimerAsync()
  expect(clock.now()).toBe(NOW_MS + MINUTE_MS)
  await clock.stop()
})

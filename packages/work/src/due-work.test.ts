import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from '@cofre/contracts'
import { type DueWork, type WatchedWork, runOnce, startDueWork } from './due-work.js'
import { RoundFailedError, doEach } from './each.js'

const PAUSE_MS = 250
const gone = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

describe('due work', () => {
  let logged: { fields: Record<string, unknown>; message: string }[]
  let log: Log
  beforeEach(() => {
    vi.useFakeTimers()
    logged = []
    const write: Log['info'] = (fields, message) => logged.push({ fields, message })
    log = { info: write, warn: write, error: write }
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const start = (...table: Omit<DueWork, 'everyMs'>[]): WatchedWork =>
    startDueWork(
      table.map((work) => ({ everyMs: PAUSE_MS, ...work })),
      { environment: 'sandbox', log },
    )

  it('continues after a failure that is logged under its name, and blocks no other', async () => {
    const fails = vi.fn(() => Promise.reject(new Error('a bug')))
    const works = vi.fn(() => Promise.resolve())
    const hangs = vi.fn(() => new Promise<never>(() => undefined))
    start(
      { name: 'erasures', run: fails },
      { name: 'lists', run: hangs },
      { name: 'refunds', run: works },
    )
    await vi.advanceTimersByTimeAsync(1500)
    expect(fails).toHaveBeenCalledTimes(3)
    expect(hangs).toHaveBeenCalledTimes(1)
    expect(works).toHaveBeenCalledTimes(7)
    expect(logged).toMatchObject([
      { fields: { job: 'erasures', environment: 'sandbox' }, message: 'a job failed' },
    ])
  })

  it('does not slow down for items that fail, each of which rests for itself', async () => {
    const waiting = Array.from({ length: 200 }, (_, i) => `of a broken bank ${i}`)
    waiting.push('of a good bank')
    const done: string[] = []
    start({
      name: 'refunds',
      run: () =>
        doEach(waiting.splice(0, 20), {
          name: (item) => item,
          work: (item) =>
            item === 'of a good bank'
              ? Promise.resolve(done.push(item))
              : Promise.reject(new Error('no credentials')),
          logFailure: () => undefined,
        }),
    })
    await vi.advanceTimersByTimeAsync(11 * PAUSE_MS)
    expect(done).toEqual(['of a good bank'])
  })

  it('logs the end of an outage two hours after the last failure, when nothing is due', async () => {
    let due = ['refund 1']
    const each = {
      name: (item: string) => item,
      work: () => Promise.reject(new Error('the bank hangs up')),
      logFailure: () => undefined,
    }
    start({ name: 'refunds', run: () => doEach(due, each) })
    await vi.advanceTimersByTimeAsync(0)
    // Another worker has ended it.
    due = []
    await vi.advanceTimersByTimeAsync(2 * 3_600_000 - 1000)
    expect(logged.map(({ message }) => message)).toEqual(['a job failed'])
    await vi.advanceTimersByTimeAsync(2000)
    expect(logged.map(({ message }) => message)).toEqual(['a job failed', 'a job works again'])
  })

  it('logs that failed items work again once one has worked, not when none is due', async () => {
    const bank = vi.fn(() => Promise.reject(new Error('the bank hangs up')))
    const free = ['refund 1']
    let due: readonly string[] = free
    const each = { name: (item: string) => item, work: bank, logFailure: () => undefined }
    start({ name: 'refunds', run: () => doEach(due, each) })
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    // The refund is leased.
    due = []
    await vi.advanceTimersByTimeAsync(60 * PAUSE_MS)
    expect(logged).toMatchObject([{ message: 'a job failed' }])
    bank.mockResolvedValue(undefined as never)
    due = free
    await vi.advanceTimersByTimeAsync(2 * PAUSE_MS)
    expect(logged.map(({ message }) => message)).toEqual(['a job failed', 'a job works again'])
  })

  it('stops at once within a pause', async () => {
    const fails = vi.fn(() => Promise.reject(new Error('gone')))
    const work = start({ name: 'refunds', run: fails })
    await vi.advanceTimersByTimeAsync(500 + 1000)
    expect(fails).toHaveBeenCalledTimes(3)
    await work.stop()
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(fails).toHaveBeenCalledTimes(3)
  })

  it('waits at its stop for what is under way, and logs no failure of it', async () => {
    const slow = Promise.withResolvers<undefined>()
    const run = vi.fn(() => slow.promise)
    const work = start({ name: 'refunds', run })
    let hasStopped = false
    const stopping = work.stop().then(() => (hasStopped = true))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(hasStopped).toBe(false)
    slow.reject(new Error('closed'))
    await stopping
    expect(run).toHaveBeenCalledTimes(1)
    expect(logged).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('waits at its stop for all rounds that run beside each other', async () => {
    const rounds = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    let begun = 0
    const work = start({
      name: 'refunds',
      parallel: 2,
      run: () => rounds[begun++]?.promise ?? Promise.resolve(),
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(begun).toBe(2)
    let hasStopped = false
    const stopping = work.stop().then(() => (hasStopped = true))
    for (const round of rounds) {
      await vi.advanceTimersByTimeAsync(1000)
      expect(hasStopped).toBe(false)
      round.resolve(undefined)
    }
    await stopping
  })

  it('waits at its stop for what a round has begun beside itself', async () => {
    const delivery = Promise.withResolvers<undefined>()
    const work = start({
      name: 'notifications',
      run({ beside }) {
        beside(delivery.promise)
        return Promise.reject(new Error('the next cannot be claimed'))
      },
    })
    let hasStopped = false
    const stopping = work.stop().then(() => (hasStopped = true))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(hasStopped).toBe(false)
    delivery.resolve(undefined)
    await stopping
  })

  const never = new Promise<undefined>(() => undefined)

  it('begins rounds of equal intervals together, whatever their length', async () => {
    const beginnings: Record<string, number[]> = {}
    const lasting = (name: string, ms: number) => ({
      name,
      run: () => {
        ;(beginnings[name] ??= []).push(performance.now())
        return new Promise((resolve) => setTimeout(resolve, ms))
      },
    })
    start(lasting('expiries', 3), lasting('refunds', 90), lasting('lists', 260))
    await vi.advanceTimersByTimeAsync(4 * PAUSE_MS)
    const [first = 0, ...turns] = beginnings.expiries ?? []
    expect(beginnings.refunds).toEqual([first, ...turns])
    expect(turns).toHaveLength(4)
    expect(beginnings.lists).toEqual([first, turns[1], turns[3]])
  })

  it('begins rounds beside those that hang, as many as it may', async () => {
    const rounds = [never, never, Promise.resolve(undefined), never]
    const run = vi.fn(() => rounds.shift() ?? never)
    start({ name: 'refunds', parallel: 3, run })
    await vi.advanceTimersByTimeAsync(4 * PAUSE_MS)
    expect(run).toHaveBeenCalledTimes(4)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(run).toHaveBeenCalledTimes(4)
  })

  it('is alive while rounds may begin beside those that hang', async () => {
    const work = start({ name: 'refunds', parallel: 300, run: () => never })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work.sinceLastRoundMs()).toBeLessThan(1000)
  })

  it('is alive while all its rounds wait for slow providers that are given up in time', async () => {
    const slow = () => new Promise((resolve) => setTimeout(resolve, 20_000))
    const work = start({ name: 'refunds', parallel: 4, run: slow })
    for (let second = 0; second < 600; second++) {
      await vi.advanceTimersByTimeAsync(1000)
      expect(work.sinceLastRoundMs()).toBeLessThan(21_000)
    }
  })

  it('is not alive once all its rounds hang', async () => {
    const work = start({ name: 'refunds', parallel: 4, run: () => never })
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(work.sinceLastRoundMs()).toBeGreaterThan(3_590_000)
  })

  it('does not work again by a round that began before it failed', async () => {
    const before = Promise.withResolvers<undefined>()
    const rounds = [before.promise]
    const run = vi.fn(() => rounds.shift() ?? Promise.reject(gone()))
    const work = start({ name: 'card changes', parallel: 4, run })
    await vi.advanceTimersByTimeAsync(1000)
    before.resolve(undefined)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(logged.map(({ message }) => message)).toEqual(['a job failed'])
    // 0.25 s after the slow one, then after growing pauses.
    expect(run.mock.calls.length).toBeLessThan(10)
    await work.stop()
  })

  it.each([
    ['over its items', new RoundFailedError('nothing succeeded', gone())],
    ['over a bug', new Error('a bug')],
  ])('is alive when it fails %s, and not when its database is away', async (_, alive) => {
    let failure: Error = alive
    const work = start(
      { name: 'refunds', run: () => Promise.reject(failure) },
      { name: 'expiries', run: () => Promise.resolve() },
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work.sinceLastRoundMs()).toBeLessThan(5250)
    failure = gone()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work.sinceLastRoundMs()).toBeGreaterThan(55_000)
  })

  it('is alive in a round that reports it', async () => {
    const work = start({
      name: 'notifications',
      run: async ({ looked }) => {
        setInterval(looked, 1000)
        await new Promise<never>(() => undefined)
      },
    })
    await vi.advanceTimersByTimeAsync(60_500)
    expect(work.sinceLastRoundMs()).toBe(500)
  })

  it('is done once with all that it has begun beside itself', async () => {
    const delivery = Promise.withResolvers<undefined>()
    let isDone = false
    const once = runOnce([
      {
        name: 'notifications',
        everyMs: PAUSE_MS,
        run({ beside }) {
          beside(delivery.promise)
          return Promise.resolve()
        },
      },
    ]).then(() => (isDone = true))
    await vi.advanceTimersByTimeAsync(1000)
    expect(isDone).toBe(false)
    delivery.resolve(undefined)
    await once
  })

  it('is done once by callers without a process, each row though one before it failed', async () => {
    const done: string[] = []
    const row = (name: string, failure?: Error): DueWork => ({
      name,
      everyMs: PAUSE_MS,
      run() {
        done.push(name)
        return failure === undefined ? Promise.resolve() : Promise.reject(failure)
      },
    })
    const first = new Error('the first')
    const second = new Error('the second')
    await expect(runOnce([row('one', first), row('two')])).rejects.toBe(first)
    expect(done.splice(0)).toEqual(['one', 'two'])
    await expect(
      runOnce([row('one', first), row('two', second), row('three')]),
    ).rejects.toMatchObject({ message: 'the first; the second', errors: [first, second] })
    expect(done).toEqual(['one', 'two', 'three'])
  })
})

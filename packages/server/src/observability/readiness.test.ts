import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMetrics } from './metrics.js'
import { createObservabilityRoutes } from './telemetry.js'
import { Readiness } from './readiness.js'
import { atMostEvery, databaseCheck, cachedForAMinute, workerCheck } from './readiness.js'
import type { Sampler } from './samplers.js'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

function routes(samplers: Sampler[] = []) {
  const readiness = new Readiness()
  const metrics = createMetrics('1.2.3')
  const app = createObservabilityRoutes({ metrics, readiness, samplers }, log)
  const ask = async (path: string, method = 'GET') => await app.request(path, { method })
  return { readiness, metrics, ask }
}

describe('/readyz', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is 503 while the process starts and while it stops, when it is alive all the time', async () => {
    const { readiness, ask } = routes()
    expect((await ask('/readyz')).status).toBe(503)
    readiness.started()
    expect((await ask('/readyz')).status).toBe(200)
    readiness.stopping()
    const stopping = await ask('/readyz')
    expect(stopping.status).toBe(503)
    expect(await stopping.json()).toEqual({ ready: false, checks: { process: 'stopping' } })
    expect((await ask('/healthz')).status).toBe(200)
  })

  it('names the failed check, and hides quotations in its error', async () => {
    const { readiness, ask } = routes()
    readiness.started()
    readiness.add('database', () => Promise.resolve())
    readiness.add('worker', workerCheck({ sinceLastRoundMs: () => 600_000 }))
    const answer = await ask('/readyz')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({
      ready: false,
      checks: {
        process: 'ok',
        database: 'ok',
        worker: 'the worker has not looked for work for 600 s',
      },
    })
  })

  it('does not wait for what does not answer', async () => {
    const { readiness, ask } = routes()
    readiness.started()
    readiness.add('database', () => new Promise(() => undefined))
    vi.useFakeTimers()
    const asking = ask('/readyz')
    await vi.advanceTimersByTimeAsync(2000)
    expect(await (await asking).json()).toMatchObject({
      checks: { database: 'no answer within 2000 ms' },
    })
  })

  it('is 503 for a database that can be read but not written, and 200 once it can', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const [sqlite] = TEST_ENGINES
    const database = await sqlite!.open({})
    let isFull = false
    const { readiness, ask } = routes()
    readiness.started()
    readiness.add(
      'database',
      databaseCheck({
        ...database,
        async transact(work) {
          if (isFull) throw new Error('the disk is full')
          return await database.transact(work)
        },
      }),
    )
    expect((await ask('/readyz')).status).toBe(200)
    isFull = true
    // The last result stays valid for some seconds.
    expect((await ask('/readyz')).status).toBe(200)
    vi.advanceTimersByTime(6000)
    const answer = await ask('/readyz')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      checks: { database: 'the database cannot be written' },
    })
    isFull = false
    expect((await ask('/readyz')).status).toBe(503)
    vi.advanceTimersByTime(6000)
    expect((await ask('/readyz')).status).toBe(200)
    await database.close()
  })

  it('looks once for all who ask within some seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    let looks = 0
    const check = atMostEvery(5000, async () => {
      looks += 1
      await new Promise((resolve) => setImmediate(resolve))
      if (looks === 2) throw new Error('full')
    })
    await Promise.all([check(), check(), check()])
    vi.advanceTimersByTime(4999)
    await check()
    expect(looks).toBe(1)
    vi.advanceTimersByTime(1)
    await expect(check()).rejects.toThrow('full')
    await expect(check()).rejects.toThrow('full')
    expect(looks).toBe(2)
    vi.advanceTimersByTime(5000)
    await check()
    expect(looks).toBe(3)
  })

  it('repeats a costly check only after a failure', async () => {
    let looks = 0
    const check = cachedForAMinute(() => {
      looks += 1
      return looks === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve()
    })
    await expect(check()).rejects.toThrow('not yet')
    await check()
    await check()
    expect(looks).toBe(2)
  })
})

describe('/metrics', () => {
  it('shows what can be read when something cannot', async () => {
    const samplers: Sampler[] = []
    const { metrics, ask } = routes(samplers)
    metrics.vaultRecords.set({ kind: 'session' }, 5)
    expect(await (await ask('/metrics')).text()).toContain('cofre_vault_records{kind="session"} 5')
    samplers.push({
      gauges: [metrics.vaultRecords],
      sample: () => Promise.reject(new Error('the database is gone')),
    })
    const answer = await ask('/metrics')
    const text = await answer.text()
    expect(answer.headers.get('Content-Type')).toContain('text/plain')
    expect(text).toContain('cofre_build_info{version="1.2.3"')
    expect(text).not.toContain('cofre_vault_records{')
  })

  it('answers other methods and paths in the one error shape', async () => {
    const { ask } = routes()
    expect((await ask('/metrics', 'POST')).status).toBe(405)
    expect(await (await ask('/nope')).json()).toMatchObject({ errors: [{ code: 90001 }] })
  })
})

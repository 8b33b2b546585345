import {
  DAY_MS,
  type Environment,
  HOUR_MS,
  type Log,
  MINUTE_MS,
  minorUnits,
} from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import type { WatchedWork } from '@cofre/work'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
  withParts,
} from '../gateway.fixture.js'
import { expireUnpaid } from '../payment/expiry-service.js'
import { deliveryWork } from '../../../notifications/src/delivery-work.js'
import {
  type TestDeliveries,
  attemptsOf,
  deliveriesOf,
} from '../../../notifications/src/notifications.fixture.js'
import { type WorkerJob, startWorker } from './worker-service.js'

const JOBS: readonly (WorkerJob | 'notifications')[] = [
  'card activations',
  'expiries',
  'notifications',
  'old declines',
  'old purchases',
  'open charges',
  'open intents',
  'refunds',
]

/** The driver's error for an unreachable server. */
const gone = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

describe('The worker in an outage', () => {
  let test: TestGateway
  let deliveries: TestDeliveries
  let worker: WatchedWork
  let lines: { fields: Record<string, unknown>; message: string }[]
  let failure: Error | undefined
  let failures: number
  let nowMs: number

  beforeEach(async () => {
    // Its database queries take no time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'performance'] })
    nowMs = NOW_MS
    test = await openTestGateway(TEST_SQLITE, { machineClock: { now: () => nowMs } })
    lines = []
    failure = undefined
    failures = 0
    const log: Log = { info: writeLine, warn: writeLine, error: writeLine }
    const { parts: deps } = test
    deliveries = deliveriesOf(deps)
    worker = startWorker(
      withParts(deps, {
        log,
        roomWork: [
          deliveryWork({
            ...deliveries,
            log,
            notifications: breaking(deliveries.notifications),
          }),
        ],
        refunds: breaking(deps.refunds),
        transactions: breaking(deps.transactions),
      }),
    )
  })
  afterEach(async () => {
    await worker.stop()
    await test.close()
    vi.useRealTimers()
  })

  /** Lets the worker's pauses pass. */
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await vi.advanceTimersByTimeAsync(20)
  }
  const writeLine: Log['info'] = (fields, message) => {
    lines.push({ fields, message })
  }

  /** The same store, whose methods all fail while there is a failure. */
  const breaking = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name, receiver): unknown {
        if (failure === undefined) return Reflect.get(target, name, receiver)
        const error = failure
        return () => {
          failures++
          return Promise.reject(error)
        }
      },
    })
  /** From here on, failed work is due again immediately. */
  const endLeases = () => {
    setInterval(() => (nowMs += HOUR_MS), 50)
  }
  const linesWith = (message: string) =>
    lines.filter((line) => line.message === message).map(({ fields }) => fields)

  it('logs each job’s failure once, backs off, and logs the recovery', async () => {
    failure = gone()
    await until(() => failures >= 3 * JOBS.length)
    expect(lines.map(({ message }) => message)).toEqual(JOBS.map(() => 'a job failed'))
    expect(lines.map(({ fields }) => fields.job).toSorted()).toEqual(JOBS)
    for (const { fields } of lines)
      expect(fields).toMatchObject({ environment: 'production', failures: 1, error: failure })
    await vi.advanceTimersByTimeAsync(3000)
    expect(worker.sinceLastRoundMs()).toBeGreaterThan(3000)
    failure = undefined
    await until(() => linesWith('a job works again').length === JOBS.length)
    expect(worker.sinceLastRoundMs()).toBeLessThan(6000)
  })

  it('has looked for work when it failed over something else than its database', async () => {
    failure = new Error('a bug')
    await until(() => failures >= 3 * JOBS.length)
    // Work that runs each second has failed once more, and pauses for two.
    expect(worker.sinceLastRoundMs()).toBeLessThan(2500)
  })

  it('ends a round of expiries at the first that the database refuses', async () => {
    for (const reference of ['order-1', 'order-2'])
      await test.send('POST', '/transactions', { body: railRequest(reference, 'pix') })
    const { parts: deps } = test
    const changes = vi.spyOn(deps.transactions, 'changeStatus').mockRejectedValue(gone())
    const later = { ...deps, clock: { now: () => deps.clock.now() + 2 * DAY_MS } }
    await expect(expireUnpaid(later)).rejects.toThrow('connect')
    expect(changes).toHaveBeenCalledOnce()
    expect(test.logged).toEqual([])
  })

  it('asks the vault for no change until its database takes writes again', async () => {
    await worker.stop()
    const { parts: deps } = test
    const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    const { code } = json.transaction as { code: string }
    const change = { kind: 'charged_back', amountMinor: minorUnits(100) } as const
    test.changes.push({ id: 'change-1', transactionCode: code, atMs: nowMs, change })
    const changes = vi.fn((of: Environment) => deps.cards.changes(of))
    const cardChanges = breaking(deps.cardChanges)
    worker = startWorker(withParts(deps, { cards: { ...deps.cards, changes }, cardChanges }))
    failure = gone()
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    // The vault parks a change that it has sent five times.
    expect(changes.mock.calls.length).toBeLessThan(5)
    expect(test.changes).toHaveLength(1)
    failure = undefined
    await until(() => test.changes.length === 0)
  })

  it('counts no attempt against a shop that it could not send to for want of descriptors, and sends later', async () => {
    await worker.stop()
    const { parts: deps } = test
    let isOut = true
    const send = () =>
      isOut
        ? Promise.reject(Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' }))
        : deliveries.sender.send({ url: '', headers: {}, body: '' })
    const log: Log = { info: () => undefined, warn: () => undefined, error: writeLine }
    await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    nowMs += HOUR_MS
    const roomWork = [deliveryWork({ ...deliveries, log, sender: { send } })]
    worker = startWorker({ ...deps, log, roomWork })
    const failedDeliveries = () => linesWith('a delivery could not be made or recorded')
    await until(() => failedDeliveries().length > 0)
    const attempts = () =>
      test.database.reader.selectFrom('notification_attempts').select('error').execute()
    expect(await attempts()).toEqual([])
    isOut = false
    endLeases()
    await until(async () => (await attempts()).length > 0)
    expect((await attempts())[0]?.error).toBeNull()
    expect(failedDeliveries()).toHaveLength(1)
  })

  it('has looked for work, too, when the vault is not reached for any of it', async () => {
    test.answerCards(() => Promise.reject(gone()))
    test.recallCards(() => Promise.reject(gone()))
    for (const reference of ['order-1', 'order-2'])
      await test.send('POST', '/transactions', { body: cardRequest(reference) })
    nowMs += HOUR_MS
    test.logged.length = 0
    endLeases()
    await until(() => linesWith('a job failed').length > 0)
    await vi.advanceTimersByTimeAsync(4000)
    expect(lines.map(({ message }) => message)).toEqual(['a job failed'])
    expect(linesWith('a job failed')).toMatchObject([{ job: 'open intents' }])
    expect(String(lines[0]?.fields.error)).toMatch(/transaction \d+: connect/)
    expect(worker.sinceLastRoundMs()).toBeLessThan(3500)
  })

  it('logs each open intent that fails when others do not', async () => {
    test.answerCards(() => Promise.reject(gone()))
    for (const reference of ['order-1', 'order-2'])
      await test.send('POST', '/transactions', { body: cardRequest(reference) })
    // Recording a delivery locks its transaction; a locked intent is left for the next round.
    const { transactions } = test.parts
    for (const reference of ['order-1', 'order-2']) {
      const intent = await transactions.findByReference(MERCHANT.id, reference)
      if (intent === undefined) throw new Error(`${reference} was not kept`)
      await until(async () => (await attemptsOf(test.database, intent.code)).length > 0)
    }
    let asks = 0
    test.recallCards(() => (asks++ === 0 ? Promise.reject(gone()) : APPROVED))
    nowMs += HOUR_MS
    await until(() => lines.length > 0)
    expect(lines.map(({ message }) => message)).toEqual(['an open intent is not answered yet'])
  })

  it('logs failing deliveries once a minute, and no recovery because others succeed', async () => {
    const { notifications } = deliveries
    const noted: number[] = []
    const recordAttempt = notifications.recordAttempt.bind(notifications)
    vi.spyOn(notifications, 'recordAttempt').mockImplementation((notification, ...rest) => {
      noted.push(notification.transactionCode)
      return noted.length <= 3 ? Promise.reject(gone()) : recordAttempt(notification, ...rest)
    })
    for (let i = 0; i < 8; i++)
      await test.send('POST', '/transactions', { body: cardRequest(`order-${i}`) })
    endLeases()
    await until(() => new Set(noted.slice(3)).size === 8)
    await worker.stop()
    expect(lines).toMatchObject([
      {
        message: 'a delivery could not be made or recorded',
        fields: { environment: 'production', failures: 1, transaction: noted[0], position: 1 },
      },
    ])
  })

  it('stops at once, however long it would have paused', async () => {
    failure = gone()
    await until(() => failures >= 4 * JOBS.length)
    const askedAt = performance.now()
    await worker.stop()
    expect(performance.now()).toBe(askedAt)
  })
})

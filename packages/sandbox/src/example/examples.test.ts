import { randomInt } from 'node:crypto'
import { DAY_MS, HOUR_MS, isCnpj, isCpf, minorUnits } from '@cofre/contracts'
import { deleteExamples } from '@cofre/gateway/upkeep'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  TEST_SECRET_KEY,
  type TestGateway,
  openTestGateway,
  railRequest,
  replaceParts,
} from '../../../gateway/src/gateway.fixture.js'
import { NOT_NOTIFIED, createOperator } from '../../../operator/src/index.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'
import { TEST_CARDS } from '../test-data/test-data.js'
import { type ExampleMonth, exampleMonth } from './example-month.js'
import { hasExamples, makeNext } from './example-set-sql.js'
import { type Examples, startExamples } from './start-examples.js'
import { FOLLOWED, searchOf } from '../../../search/src/search.fixture.js'

const STORE = { ...MERCHANT, mayUseRawCards: true }
const WALLETS = ['pagseguro', 'paypal']
const DAYS = [0, 1, 2, 3, 4, 5, 6]

/** A few of the orders, and all with refunds. */
function someOfMonth(of: ExampleMonth) {
  return exampleMonth(of).filter(
    ({ steps }, i) => i % 12 === 0 || steps.some(({ kind }) => kind === 'refund'),
  )
}

describe('the example month', () => {
  it.each(DAYS)('is a shop’s month, whichever day it ends on: %i', (day) => {
    const untilMs = NOW_MS + day * DAY_MS + day * HOUR_MS
    const month = exampleMonth({ untilMs, wallets: WALLETS })
    expect(month).toEqual(exampleMonth({ untilMs, wallets: WALLETS }))
    expect(month.length).toBeGreaterThan(250)
    expect(month.length).toBeLessThan(450)
    const text = JSON.stringify(month)
    for (const kind of ['pix', 'boleto', 'pagseguro', 'paypal', '"refund"', 'CHARGEBACK', 'lapse'])
      expect([kind, text.includes(kind)]).toEqual([kind, true])
    expect(month.every(({ createdAtMs }) => createdAtMs < untilMs)).toBe(true)
    expect(month.every(({ createdAtMs }) => createdAtMs > untilMs - 31 * DAY_MS)).toBe(true)
  })

  it('has public test cards alone, and documents that are valid', () => {
    const text = JSON.stringify(exampleMonth({ untilMs: NOW_MS, wallets: WALLETS }))
    const cards = [...text.matchAll(/"credit-card":\{"number":"(\d+)"/g)].map(([, card]) => card)
    const known = TEST_CARDS.map(({ number }) => number)
    expect(cards.filter((card) => !known.includes(card ?? ''))).toEqual([])
    const documents = [...text.matchAll(/"document":\{"type":"\w+","number":"(\w+)"/g)]
    expect(documents.every(([, number = '']) => isCpf(number) || isCnpj(number))).toBe(true)
  })
})

for (const engine of TEST_ENGINES)
  describe(`example payments, on ${engine.name}`, () => {
    let test: TestGateway
    let search: ReturnType<typeof searchOf>
    let running: Examples[]
    beforeEach(async () => {
      running = []
      test = await openTestGateway(engine, {
        ...FOLLOWED,
        environment: 'sandbox',
        purchaseLimits: { perTransactionMinor: minorUnits(1_000_000), perPeriodMinor: undefined },
      })
      search = searchOf(test)
      replaceParts(test.parts, { roomWork: search.work })
      await test.gateway.saveMerchant(STORE)
    })
    afterEach(async () => {
      for (const examples of running) await examples.stop()
      await test.close()
    })

    const start = (isNew = true) => {
      const { parts } = test
      const examples = startExamples({
        gateway: {
          ...parts,
          secretKeys: [TEST_SECRET_KEY],
          intentRemovals: [],
          randomBelow: (n) => randomInt(n),
        },
        deskOn: (gateway, core) =>
          createOperator(gateway, { ...core, notifications: NOT_NOTIFIED }),
        merchant: STORE,
        isNew,
        clock: parts.clock,
        log: parts.log,
        publicUrl: 'https://sandbox.example',
        pauseMs: 0,
        monthOf: someOfMonth,
      })
      running.push(examples)
      return examples
    }
    const count = async (table: 'transactions' | 'notifications' | 'card_declines' | 'refunds') =>
      (await test.database.reader.selectFrom(table).selectAll().execute()).length
    const positionOf = async () =>
      (await test.database.reader.selectFrom('example_sets').selectAll().executeTakeFirst())
        ?.position ?? 0
    const own = () => test.send('POST', '/transactions', { body: railRequest('own-1', 'pix') })

    it('are made once, marked, not notified, counted by no limit, and removed alone', async () => {
      const mine = await own()
      expect(mine.status).toBe(201)
      const notifications = await count('notifications')
      expect(await start().made).toBe(true)
      const month = someOfMonth({ untilMs: NOW_MS, wallets: test.parts.requestPolicy.wallets })
      const rows = await test.database.reader.selectFrom('transactions').selectAll().execute()
      expect(rows.filter(({ example }) => example === 1)).toHaveLength(month.length)
      expect(await count('notifications')).toBe(notifications)
      expect(await count('card_declines')).toBe(0)
      expect(await count('refunds')).toBeGreaterThan(5)
      // No past event waits for a worker.
      const late = rows.filter(({ expires_at: at, status }) => status === 'PENDING' && at !== null)
      expect(late.every(({ expires_at: at }) => (at ?? 0) >= NOW_MS)).toBe(true)
      expect(rows.filter(({ open }) => open === 1)).toEqual([])

      expect(await start().made).toBe(false)
      expect(await count('transactions')).toBe(month.length + 1)
      expect(await hasExamples(test.database, STORE.id)).toBe(true)
      expect(await search.figures.examplesOf(STORE.id)).toBe('made')
      const { backOffice } = withOperator(test).gateway
      expect(await backOffice.milestones(STORE.id)).toMatchObject({
        'card-paid': null,
        'pix-paid': null,
        'refund-processed': null,
      })

      const found = rows.find(({ status, example }) => status === 'REFUNDED' && example === 1)
      const details = await backOffice.findTransaction(STORE.id, String(found?.code))
      const history = details?.history.map(({ status }) => status)
      expect(history?.slice(-2)).toEqual(['COMPLETE', 'REFUNDED'])

      const worker = test.gateway.startWorker()
      const total = async (leftOut?: 'examples') => {
        const period = { fromDay: 20_000, untilDay: 30_000 }
        return (await search.figures.read(STORE.id, period, leftOut)).now
      }
      const made = month.length + 1
      const created = async (leftOut?: 'examples') =>
        (await total(leftOut)).conversions.reduce((sum, one) => sum + one.created, 0)
      await expect.poll(() => created(), { timeout: 60_000 }).toBeGreaterThan(made / 5)
      await worker.stop()
      expect((await total()).declines.length).toBeGreaterThan(0)
      expect((await total('examples')).declines).toEqual([])
      expect((await total('examples')).total.count).toBe(0)

      expect(await deleteExamples(test.database, STORE.id)).toBe(month.length)
      expect(await count('transactions')).toBe(1)
      expect(await count('refunds')).toBe(0)
      expect(await created()).toBe(await created('examples'))
      expect(await hasExamples(test.database, STORE.id)).toBe(false)
      expect(await search.figures.examplesOf(STORE.id)).toBeUndefined()
      expect(await start().made).toBe(false)
      expect(await count('transactions')).toBe(1)
    })

    it('are made once by a process that continues after a kill', async () => {
      const first = start()
      await expect.poll(positionOf, { timeout: 20_000 }).toBeGreaterThan(3)
      await first.stop()
      // In the middle of a payment, as when the process is killed.
      await expect(
        makeNext(test.database, STORE.id, async (unit) => {
          await unit.transact((trx) =>
            trx.updateTable('transactions').set({ example: null }).execute(),
          )
          throw new Error('killed')
        }),
      ).rejects.toThrow('killed')
      const before = await positionOf()
      expect(await count('transactions')).toBe(before)
      const [one, other] = [start(false), start(false)]
      await Promise.all([one.made, other.made])
      const month = someOfMonth({ untilMs: NOW_MS, wallets: test.parts.requestPolicy.wallets })
      const rows = await test.database.reader
        .selectFrom('transactions')
        .select(['reference', 'example'])
        .execute()
      expect(rows).toHaveLength(month.length)
      expect(new Set(rows.map(({ reference }) => reference)).size).toBe(month.length)
      expect(rows.every(({ example }) => example === 1)).toBe(true)
    })

    it('are not made where a store was before, and no more once they are removed', async () => {
      expect(await start(false).made).toBe(false)
      expect(await count('transactions')).toBe(0)
      const examples = start()
      await expect.poll(positionOf, { timeout: 20_000 }).toBeGreaterThan(2)
      await deleteExamples(test.database, STORE.id)
      await examples.made
      expect(await count('transactions')).toBe(0)
    })
  })

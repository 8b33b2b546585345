import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
  openTestGateway,
  type TestGateway,
} from '../../gateway.fixture.js'

const timestamp = (timeMs: number): string => new Date(timeMs).toISOString()

for (const engine of TEST_ENGINES) {
  describe(`GET /transactions on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    beforeEach(async () => {
      nowMs = NOW_MS
      test = await openTestGateway(engine, { clock: { now: () => nowMs } })
    })
    afterEach(() => test.close())

    const search = (parameters: Record<string, string>) =>
      test.send('GET', `/transactions?${new URLSearchParams(parameters).toString()}`)
    const found = async (parameters: Record<string, string>): Promise<unknown[]> => {
      const { json } = await search(parameters)
      const result = json['transaction-result'] as { transactions: { 'order-id': string }[] }
      return result.transactions.map((transaction) => transaction['order-id'])
    }
    /** Creates one transaction a minute. */
    const pay = async (count: number, outcome: 'approved' | 'declined' = 'approved') => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome }))
      for (let i = 1; i <= count; i++) {
        await test.send('POST', '/transactions', { body: cardRequest(`${outcome}-${i}`) })
        nowMs += MINUTE_MS
      }
    }
    const everything = { 'initial-order-date': timestamp(NOW_MS - DAY_MS) }

    it('pages through what is found, oldest first', async () => {
      await pay(12)
      const first = await search(everything)
      expect(first.json.metadata).toEqual({
        found: '12',
        'page-results': 10,
        'current-page': 1,
        'total-pages': 2,
      })
      expect(await found({ ...everything, page: '2' })).toEqual(['approved-11', 'approved-12'])
      expect(await found({ ...everything, page: '3', 'max-page-results': '2' })).toEqual([
        'approved-5',
        'approved-6',
      ])
      expect(await found({ ...everything, page: '9' })).toEqual([])
    })

    it('finds nothing without complaint', async () => {
      expect((await search(everything)).json).toEqual({
        'transaction-result': { 'store-id': 'store-1', transactions: [] },
        metadata: { found: '0', 'page-results': 0, 'current-page': 1, 'total-pages': 0 },
      })
    })

    it('filters by each date, both ends excluded, and by status', async () => {
      await pay(3)
      await pay(2, 'declined')
      const second = timestamp(NOW_MS + MINUTE_MS)
      const fourth = timestamp(NOW_MS + 3 * MINUTE_MS)
      for (const date of ['order', 'payment', 'last-status-change']) {
        expect(
          await found({ [`initial-${date}-date`]: second, [`final-${date}-date`]: fourth }),
        ).toEqual(['approved-3'])
      }
      expect(await found({ ...everything, status: 'CANCELLED' })).toEqual([
        'declined-1',
        'declined-2',
      ])
      expect(await found({ 'initial-payment-date': timestamp(NOW_MS - DAY_MS) })).toHaveLength(3)
      expect(await found({ ...everything, 'initial-payment-date': second })).toEqual(['approved-3'])
    })

    it('finds one by its reference without a date, as it filters by all that is given', async () => {
      await pay(3)
      expect(await found({ reference: 'approved-2' })).toEqual(['approved-2'])
      expect(await found({ reference: 'approved-2', status: 'CANCELLED' })).toEqual([])
      expect(await found({ reference: 'approved' })).toEqual([])
      const before = { ...everything, 'final-order-date': timestamp(NOW_MS + 30_000) }
      expect(await found({ ...before, reference: 'approved-2' })).toEqual([])
      const other = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(other)
      const target = '/transactions?reference=approved-2'
      expect((await test.send('GET', target, { merchant: other })).json.metadata).toMatchObject({
        found: '0',
      })
    })

    it('lets the payment of one that was found by its reference be done with', async () => {
      await pay(1)
      const searched = () =>
        test.database.reader.selectFrom('notifications').select('searched_at').execute()
      expect(await searched()).toEqual([{ searched_at: null }])
      await search({ reference: 'approved-1' })
      expect(await searched()).toEqual([{ searched_at: nowMs }])
    })

    it('answers a wrong parameter with its code', async () => {
      expect(await search({})).toMatchObject({ status: 400, codes: [22117] })
      expect(await search({ ...everything, page: '0' })).toMatchObject({
        status: 400,
        codes: [22115],
      })
    })

    it.each(['created_at', 'paid_at', 'status_changed_at'])(
      'reads %s through its index',
      async (column) => {
        const query = sql`select * from transactions where merchant_id = 'store-1' and ${sql.ref(column)} > 1
        and ${sql.ref(column)} < 2 order by ${sql.ref(column)}, code limit 10`
        expect(await planOf(test, query)).toContain(`transactions_${column}`)
      },
    )
  })
}

/** The engine's plan for a query on a table of any size. */
async function planOf({ database }: TestGateway, query: ReturnType<typeof sql>): Promise<string> {
  if (database.dialect.engine === 'sqlite') {
    return JSON.stringify(await sql`explain query plan ${query}`.execute(database.reader))
  }
  return await database.transact(async (trx) => {
    // On a small table, PostgreSQL prefers to read all of it.
    await sql`set local enable_seqscan = off`.execute(trx)
    return JSON.stringify(await sql`explain ${query}`.execute(trx))
  })
}

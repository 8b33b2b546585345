import { DAY_MS, type ListPage, type ListQuery, type SettlementLine } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPROVED, MERCHANT, cardRequest } from '../../gateway/src/gateway.fixture.js'
import { readAll } from '../../search/src/sql/search-index.fixture.js'
import { dayNumberInBrasilia } from '@cofre/gateway/room'
import { SETTLEMENT_RESULTS } from './model/settlement.js'
import { type SettledGateway, openSettled } from './settlements.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`lists of money that people read page by page, on ${engine.name}`, () => {
    let test: SettledGateway
    let firstDay: number
    beforeEach(async () => {
      test = await openSettled(engine)
      firstDay = dayNumberInBrasilia(test.time.nowMs)
    })
    afterEach(() => test.close())

    const pay = async (accountId: string, reference: string) => {
      test.answerCards(() =>
        Promise.resolve({ ...APPROVED, charge: { accountId, provider: 'adyen' } }),
      )
      const { status } = await test.send('POST', '/transactions', { body: cardRequest(reference) })
      expect(status).toBe(201)
      test.time.nowMs += 1000
    }
    /**
     * Uploads a file without a payout that covers days, counted from the day of the test's start.
     */
    const cover = async (accountId: string, fromDay: number, toDay: number) => {
      test.time.nowMs += 1000
      await readAll(test.database, test.time.nowMs + DAY_MS)
      const lineOn = (line: number, day: number): SettlementLine => ({
        line,
        kind: 'fee',
        grossMinor: 0,
        feeMinor: 100,
        netMinor: -100,
        paidOn: new Date((firstDay + day) * DAY_MS).toISOString().slice(0, 10),
      })
      const { id } = await test.settlements.upload(
        {
          storeId: MERCHANT.id,
          format: 'adyen',
          accountId,
          name: 'report.csv',
          actor: 'person:per_1',
        },
        {
          lines: (async function* () {
            yield* [lineOn(2, fromDay), lineOn(3, toDay)]
            await Promise.resolve()
          })(),
          read: () => ({ sha256: `${accountId} ${fromDay} ${toDay}`, bytes: 1000 }),
        },
      )
      await work()
      return id
    }
    const work = async () => {
      await test.compareAll()
    }
    const missing = async (limit: number, after?: string) => {
      const page = await test.settlements.missing(MERCHANT.id, { limit, after })
      return { ...page, shown: page.items.map(({ reference }) => reference) }
    }

    it('missing payments: a file of another account repeats none of them', async () => {
      for (const name of ['b-1', 'b-2', 'c-1']) await pay(`account-${name[0]}`, name)
      await pay('account-a', 'a-1')
      test.time.nowMs += 60 * DAY_MS
      await cover('account-b', -10, 50)
      await cover('account-c', -10, 50)
      const first = await missing(2)
      expect(first.shown).toEqual(['b-2', 'b-1'])
      await cover('account-a', -10, 50)
      const second = await missing(2, first.next)
      expect(second).toMatchObject({ shown: ['c-1'], next: undefined })
    })

    it('missing payments: a file that is removed skips none of the next account', async () => {
      for (const name of ['a-1', 'b-1', 'b-2', 'c-1']) await pay(`account-${name[0]}`, name)
      test.time.nowMs += 60 * DAY_MS
      const file = await cover('account-a', -10, 50)
      await cover('account-b', -10, 50)
      await cover('account-c', -10, 50)
      const first = await missing(2)
      expect(first.shown).toEqual(['a-1', 'b-2'])
      await test.settlements.remove(MERCHANT.id, file)
      await work()
      const second = await missing(2, first.next)
      expect(second).toMatchObject({ shown: ['b-1', 'c-1'] })
      expect(await missing(2, second.next)).toMatchObject({ shown: [], next: undefined })
    })

    it('missing payments: a file that closes a gap of its account skips and repeats none', async () => {
      await pay('account-a', 'early')
      test.time.nowMs += 60 * DAY_MS
      for (const name of ['late-1', 'late-2']) await pay('account-a', name)
      test.time.nowMs += 60 * DAY_MS
      await cover('account-a', -1, 40)
      await cover('account-a', 50, 110)
      expect(await test.settlements.covered(MERCHANT.id)).toHaveLength(2)
      const first = await missing(1)
      await cover('account-a', 40, 50)
      expect(await test.settlements.covered(MERCHANT.id)).toHaveLength(1)
      const rest = await missing(9, first.next)
      expect([...first.shown, ...rest.shown].toSorted()).toEqual(['early', 'late-1', 'late-2'])
    })

    it('every list: the cursor contains the sort key, so that stored addresses keep working', async () => {
      const ids = [await cover('account-a', 0, 1), await cover('account-a', 1, 2)]
      const { next } = await test.settlements.files(MERCHANT.id, { limit: 1 })
      expect(next).toBe(String(ids[1]))
      const query = { results: SETTLEMENT_RESULTS, limit: 1 } as const
      expect((await test.settlements.lines(MERCHANT.id, query)).next).toBe(
        `${firstDay + 2}-${ids[1]}-3`,
      )
    })

    const NO_CURSORS = ['', 'x', '0', '-1', '1-\0']
    it.each([...NO_CURSORS, '1-2-3-4', '9999999999-1-9999999999'])(
      'every list: %j is no cursor, and begins with the first page',
      async (after) => {
        await pay('account-a', 'order-1')
        test.time.nowMs += 60 * DAY_MS
        await cover('account-a', -10, 50)
        const { settlements } = test
        type List = (query: ListQuery) => Promise<ListPage<unknown>>
        const lines: List = (query) =>
          settlements.lines(MERCHANT.id, { ...query, results: SETTLEMENT_RESULTS })
        const missing: List = (query) => settlements.missing(MERCHANT.id, query)
        for (const list of [lines, ...(NO_CURSORS.includes(after) ? [missing] : [])]) {
          const page = await list({ after, limit: 9 })
          expect(page.items).not.toEqual([])
          expect(page).toEqual(await list({ limit: 9 }))
        }
      },
    )
  })
}

import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, cardRequest } from '../../gateway/src/gateway.fixture.js'
import { type PixGateway, openPixGateway } from '../../banks/src/payment/pix-bank.fixture.js'
import { FOLLOWED, searchOf } from './search.fixture.js'
import { readAll } from './sql/search-index.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`the list of payments that people read page by page, on ${engine.name}`, () => {
    let test: PixGateway
    beforeEach(async () => {
      test = await openPixGateway(engine, FOLLOWED)
    })
    afterEach(() => test.close())

    const pay = async (reference: string) => {
      const { status } = await test.send('POST', '/transactions', { body: cardRequest(reference) })
      expect(status).toBe(201)
      test.time.nowMs += 1000
    }

    it('has a cursor with the sort key, so that stored addresses keep working', async () => {
      for (const reference of ['order-1', 'order-2']) await pay(reference)
      const found = await searchOf(test).payments.find(MERCHANT.id, { limit: 1 })
      const { code, createdAtMs } = found.items[0]!.transaction
      expect(found.next).toBe(`${createdAtMs}-${code}`)
    })

    it.each(['', 'x', '0', '-1', '1-\0', '1-2-3-4', '9999999999-1-9999999999'])(
      'begins with the first page where %j, which is no cursor, is given',
      async (after) => {
        await pay('order-1')
        test.time.nowMs += 60 * DAY_MS
        await readAll(test.database, test.time.nowMs + DAY_MS)
        const { payments } = searchOf(test)
        const page = await payments.find(MERCHANT.id, { after, limit: 9 })
        expect(page.items).not.toEqual([])
        expect(page).toEqual(await payments.find(MERCHANT.id, { limit: 9 }))
      },
    )
  })
}

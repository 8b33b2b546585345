import { DAY_MS, type ListPage, type ListQuery, pages } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPROVED, MERCHANT, cardRequest } from '../gateway.fixture.js'
import { linkRequest, makeLink } from '../payment/payment-link.fixture.js'
import { readAll } from '../ledger/search/search-index.fixture.js'
import { type PixGateway, openPixGateway } from '../payment/pix-bank.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`lists that people read page by page, on ${engine.name}`, () => {
    let test: PixGateway
    beforeEach(async () => {
      test = await openPixGateway(engine)
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
    it('every list: the cursor is made of what the order is, so that kept addresses go on', async () => {
      for (const reference of ['order-1', 'order-2']) await pay('account-a', reference)
      const { payments } = test.gateway
      const found = await payments.find(MERCHANT.id, { limit: 1 })
      const { code, createdAtMs } = found.items[0]!.transaction
      expect(found.next).toBe(`${createdAtMs}-${code}`)
    })

    const NO_CURSORS = ['', 'x', '0', '-1', '1-\0']
    it.each([...NO_CURSORS, '1-2-3-4', '9999999999-1-9999999999'])(
      'every list: %j is no cursor, and begins with the first page',
      async (after) => {
        await pay('account-a', 'order-1')
        await makeLink(test, linkRequest('link-1'))
        test.time.nowMs += 60 * DAY_MS
        await readAll(test.database, test.time.nowMs + DAY_MS)
        const { paymentLinks, payments } = test.gateway
        type List = (query: ListQuery) => Promise<ListPage<unknown>>
        const byNumbers: readonly List[] = [(query) => payments.find(MERCHANT.id, query)]
        const byText: readonly List[] = [(query) => paymentLinks.list(MERCHANT.id, query)]
        for (const list of [...byNumbers, ...(NO_CURSORS.includes(after) ? byText : [])]) {
          const page = await list({ after, limit: 9 })
          expect(page.items).not.toEqual([])
          expect(page).toEqual(await list({ limit: 9 }))
        }
      },
    )

    it('links: one that is made between two pages repeats none', async () => {
      const { paymentLinks } = test.gateway
      for (const reference of ['one', 'two', 'three']) {
        await makeLink(test, linkRequest(reference))
        test.time.nowMs += 1000
      }
      const seen: string[] = []
      const all = pages((after: string | undefined) =>
        paymentLinks.list(MERCHANT.id, { after, limit: 2 }),
      )
      for await (const { link } of all) {
        seen.push(link.reference)
        if (seen.length === 1) await makeLink(test, linkRequest('four'))
      }
      expect(seen).toEqual(['three', 'two', 'one'])
    })
  })
}

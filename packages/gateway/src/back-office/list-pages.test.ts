import { DAY_MS, type ListPage, type ListQuery } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPROVED, MERCHANT, cardRequest } from '../gateway.fixture.js'
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
      const { backOffice } = test.gateway
      const notified = await backOffice.listNotifications(MERCHANT.id, { limit: 1 })
      const { notification } = notified.items[0]!
      const { transactionCode, position } = notification
      expect(notified.next).toBe(`${notification.createdAtMs}-${transactionCode}-${position}`)
    })

    it.each(['', 'x', '0', '-1', '1-\0', '1-2-3-4', '9999999999-1-9999999999'])(
      'every list: %j is no cursor, and begins with the first page',
      async (after) => {
        await pay('account-a', 'order-1')
        test.time.nowMs += 60 * DAY_MS
        const { backOffice } = test.gateway
        type List = (query: ListQuery) => Promise<ListPage<unknown>>
        const byNumbers: readonly List[] = [
          (query) => backOffice.listNotifications(MERCHANT.id, query),
        ]
        for (const list of byNumbers) {
          const page = await list({ after, limit: 9 })
          expect(page.items).not.toEqual([])
          expect(page).toEqual(await list({ limit: 9 }))
        }
      },
    )
  })
}

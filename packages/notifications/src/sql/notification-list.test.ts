import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MERCHANT, NOW_MS, cardRequest } from '../../../gateway/src/gateway.fixture.js'
import { openTestNotifications } from '../notifications.fixture.js'

describe.each(TEST_ENGINES)('the list of notifications on $name', (engine) => {
  it('the cursor contains the sort key, so that stored addresses keep working', async () => {
    const test = await openTestNotifications(engine)
    onTestFinished(() => test.close())
    await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    await test.send('POST', '/transactions', { body: cardRequest('order-2') })
    const notified = await test.gateway.notifications.list(MERCHANT.id, { limit: 1 })
    const { notification } = notified.items[0]!
    const { transactionCode, position } = notification
    expect(notified.next).toBe(`${NOW_MS}-${transactionCode}-${position}`)
  })

  it.each(['', 'x', '0', '-1', '1-\0', '1-2-3-4', '9999999999-1-9999999999'])(
    '%j is no cursor, and begins with the first page',
    async (after) => {
      const test = await openTestNotifications(engine)
      onTestFinished(() => test.close())
      await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      const list = (query: { readonly after?: string; readonly limit: number }) =>
        test.gateway.notifications.list(MERCHANT.id, query)
      const page = await list({ after, limit: 9 })
      expect(page.items).not.toEqual([])
      expect(page).toEqual(await list({ limit: 9 }))
    },
  )
})

import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MERCHANT, NOW_MS, cardRequest, railRequest } from '../../gateway/src/gateway.fixture.js'
import { openTestOperator } from './operator.fixture.js'

const OTHER = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }

describe.each(TEST_ENGINES)('what people see of a store on $name', (engine) => {
  it('a payment: shown to its own store alone', async () => {
    const test = await openTestOperator(engine)
    onTestFinished(() => test.close())
    await test.gateway.saveMerchant(OTHER)
    const { json } = await test.send('POST', '/transactions', {
      body: railRequest('boleto-1', 'boleto'),
    })
    const { code } = json.transaction as { code: string }
    const { backOffice } = test.gateway
    const details = await backOffice.findTransaction(MERCHANT.id, code)
    expect(details?.transaction.reference).toBe('boleto-1')
    expect(await backOffice.findTransaction(OTHER.id, code)).toBeUndefined()
  })

  it('notifications: the cursor is made of what the order is, so that kept addresses go on', async () => {
    const test = await openTestOperator(engine)
    onTestFinished(() => test.close())
    await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    await test.send('POST', '/transactions', { body: cardRequest('order-2') })
    const { backOffice } = test.gateway
    const notified = await backOffice.listNotifications(MERCHANT.id, { limit: 1 })
    const { notification } = notified.items[0]!
    const { transactionCode, position } = notification
    expect(notified.next).toBe(`${NOW_MS}-${transactionCode}-${position}`)
  })

  it.each(['', 'x', '0', '-1', '1-\0', '1-2-3-4', '9999999999-1-9999999999'])(
    'notifications: %j is no cursor, and begins with the first page',
    async (after) => {
      const test = await openTestOperator(engine)
      onTestFinished(() => test.close())
      await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      const list = (query: { readonly after?: string; readonly limit: number }) =>
        test.gateway.backOffice.listNotifications(MERCHANT.id, query)
      const page = await list({ after, limit: 9 })
      expect(page.items).not.toEqual([])
      expect(page).toEqual(await list({ limit: 9 }))
    },
  )
})

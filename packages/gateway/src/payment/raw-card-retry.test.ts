import { TEST_SQLITE } from '@cofre/sql/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { APPROVED, MERCHANT, cardRequest, openTestGateway } from '../gateway.fixture.js'

it('a retry finishes the order of a raw card, though the store may not use them any more', async () => {
  const test = await openTestGateway(TEST_SQLITE)
  onTestFinished(() => test.close())
  await test.gateway.saveMerchant({ ...MERCHANT, mayUseRawCards: true })
  const card = {
    number: '4111111111111111',
    cvv: '123',
    'expiration-date': '2030-12',
    holder: 'MARIA',
  }
  const order = cardRequest('order-1', { token: undefined, 'credit-card': card })
  const [charge] = order.charge
  const body = {
    ...order,
    charge: [{ ...charge, currency: 'BRL' }],
    payer: { ...order.payer, ip: '203.0.113.7' },
  }
  const send = (reference: string) =>
    test.send('POST', '/transactions', {
      body: { ...body, transaction: { ...body.transaction, reference } },
      headers: { 'idempotency-key': `key-${reference}` },
    })
  const { settle } = test.parts.transactions
  const failing = vi.spyOn(test.parts.transactions, 'settle')
  failing.mockRejectedValueOnce(new Error('disk full'))
  expect((await send('order-1')).status).toBe(500)
  failing.mockRestore()
  expect(test.parts.transactions.settle).toBe(settle)
  test.recallCards(() => APPROVED)
  await test.gateway.saveMerchant(MERCHANT)
  expect((await send('order-1')).status).toBe(201)
  expect(test.orders).toHaveLength(1)
  expect(await send('order-2')).toMatchObject({ status: 422, codes: [210601] })
})

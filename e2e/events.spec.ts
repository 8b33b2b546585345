import { verifyEvent } from '@cofre/merchant'
import { expect } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { startEventReceiver } from './event-receiver.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { test } from './story.js'

const CARD = { number: '4111111111111111', cvv: '123' }

test('a shop receives a payment and its refund, and changes its secret', async ({ story }) => {
  const { ports } = story.cofre
  const merchant = merchantAt(ports.sandbox)
  const receiver = await startEventReceiver()
  const made = await merchant.createEventEndpoint({ url: receiver.url })
  const { code: endpoint } = made['event-endpoint']
  const secret = made.secret ?? ''

  const token = await depositCard(ports, CARD)
  const sale = cardPurchase(`events-${Date.now()}`, { token, installments: 1 })
  const { code, reference } = (await merchant.createTransaction(sale)).transaction
  const ofPayment = () =>
    receiver.received.filter(({ headers }) => String(headers['webhook-id']).includes(`_${code}_`))
  await expect.poll(() => ofPayment().length).toBe(1)
  const [paid] = ofPayment()
  const event = String(paid?.headers['webhook-id'])
  expect(verifyEvent({ headers: paid!.headers, body: paid!.body, secret })).toMatchObject({
    code: event,
    type: 'payment.completed',
    data: { payment: { code, reference, status: 'COMPLETE' } },
  })

  const { secret: next } = await merchant.rotateEventEndpointSecret(endpoint)
  await merchant.createRefund({
    'transaction-id': code,
    'notify-url': 'http://127.0.0.1:9/notifications',
  })
  await expect.poll(() => ofPayment().length, { timeout: 60_000 }).toBe(2)
  const refunded = ofPayment()[1]
  const headers = refunded!.headers as Record<string, string>
  for (const key of [secret, next ?? ''])
    expect(new Webhook(key).verify(refunded!.body, headers)).toMatchObject({
      type: 'refund.processed',
      data: { refund: { 'transaction-code': code } },
    })

  const { events } = await merchant.listEvents({ 'transaction-code': code })
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'payment.completed',
    'refund.processed',
  ])
  await merchant.sendEvent(event, endpoint)
  await expect.poll(() => ofPayment().length).toBe(3)
  expect(ofPayment()[2]?.headers['webhook-id']).toBe(event)
  await merchant.deleteEventEndpoint(endpoint)
  expect(await merchant.listEventEndpoints()).toEqual([])
  receiver.close()
})

// Deliveries over HTTP, judged by the library of Standard Webhooks.
import { type IncomingHttpHeaders, createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { DAY_MS, EVENT_DATA, eventMessageSchema } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { createHttpSender } from '../../notifications/src/delivery/http-sender.js'
import { parseTargetAllowances } from '../../notifications/src/delivery/notification-target.js'
import { remindOfUncaptured } from '../../gateway/src/payment/capture/capture-work-service.js'
import { idOf, openTestEvents } from './events.fixture.js'

interface Received {
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

async function openReceiver() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, headers: request.headers })
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}/events`, received }
}

const openEvents = async (allowed: string) => {
  const allowances = parseTargetAllowances(allowed)
  const sender = createHttpSender({ version: '0', allowances })
  const clock = { now: () => Date.now() }
  const events = await openTestEvents(TEST_SQLITE, {
    clock,
    machineClock: clock,
    sending: { sender },
  })
  onTestFinished(() => events.test.close())
  return events
}

it('events are verified with each secret of their endpoint, and with no other', async () => {
  const { url, received } = await openReceiver()
  const events = await openEvents('127.0.0.0/8:*')
  const { code, secret } = await events.endpoint(url)
  const payment = await events.pay('paid')
  await events.send()
  const [first] = received
  const headersOf = (one: Received | undefined) => one?.headers as Record<string, string>
  const verify = (key: string, one: Received | undefined) =>
    new Webhook(key).verify(one?.body ?? '', headersOf(one))
  const message = eventMessageSchema.parse(verify(secret, first))
  expect(message).toMatchObject({ type: 'payment.completed', environment: 'production' })
  expect(EVENT_DATA['payment.completed'].parse(message.data).payment).toMatchObject({
    code: String(payment),
    reference: 'paid',
    amount: 100,
  })
  expect(first?.body).toContain('"amount":100.00')
  expect(idOf({ url, body: '', headers: headersOf(first) })).toMatch(
    new RegExp(`^evt_${payment}_[1-9]`),
  )

  const target = `/event-endpoints/${code}/secret-rotations`
  const { json } = await events.test.send('POST', target, { body: {} })
  await events.refund(payment, 'PROCESSED')
  await events.send()
  const second = received[1]
  for (const key of [secret, String(json.secret)])
    expect(verify(key, second)).toMatchObject({ type: 'refund.processed' })
  expect(() => verify(String(json.secret), first)).toThrow('No matching signature')
})

it('no address inside is reached, whatever was saved', async () => {
  const { url, received } = await openReceiver()
  const events = await openEvents('')
  await events.endpoint(url)
  await events.pay('paid')
  await events.send()
  expect(received).toEqual([])
  const { json: all } = await events.test.send('GET', '/events')
  const [event] = (all as { events: { code: string }[] }).events
  const { json } = await events.test.send('GET', `/events/${event?.code}`)
  expect(json).toMatchObject({ event: { deliveries: [{ error: 'address_refused' }] } })
})

it('events of an authorized payment are verified', async () => {
  const { url, received } = await openReceiver()
  const events = await openEvents('127.0.0.0/8:*')
  const { secret } = await events.endpoint(url)
  await events.authorize('authorized')
  await events.send()
  await remindOfUncaptured({
    ...events.test.parts,
    clock: { now: () => Date.now() + 4 * DAY_MS },
  })
  await events.send()
  const verified = received.map(({ body, headers }) =>
    eventMessageSchema.parse(new Webhook(secret).verify(body, headers as Record<string, string>)),
  )
  expect(verified).toMatchObject([
    { type: 'payment.authorized', data: { payment: { status: 'AUTHORIZED' } } },
    { type: 'payment.capture-due', data: { payment: { status: 'AUTHORIZED' } } },
  ])
})

import { DAY_MS, EVENT_DATA, type EventType } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { APPROVED, MERCHANT, cardRequest } from '../../gateway/src/gateway.fixture.js'
import {
  type TestEvents,
  firstEventOf,
  messageOf,
  openTestEvents,
  payByLink,
} from './events.fixture.js'

const typesOf = (sent: readonly { readonly body: string }[]) =>
  sent.map((one) => messageOf(one as Parameters<typeof messageOf>[0]).type)

describe.each(TEST_ENGINES)('events on $name', (engine) => {
  let events: TestEvents
  beforeEach(async () => {
    events = await openTestEvents(engine)
    onTestFinished(() => events.test.close())
  })

  const list = async (query = '') => {
    const { json } = await events.test.send('GET', `/events${query}`)
    return json as { events: { code: string; type: EventType }[]; 'next-cursor': string | null }
  }

  it('are one for each change of a payment and its refunds, with data of their type', async () => {
    const paid = await events.pay('paid')
    events.nowMs += 1000
    await events.decline('declined')
    events.nowMs += 1000
    await events.refund(paid, 'PROCESSED')
    events.nowMs += 1000
    await events.test.parts.transactions.changeStatus(paid, {
      to: 'CHARGEBACK',
      atMs: events.nowMs,
    })
    events.nowMs += 1000
    const by = 'chargeback_reversed'
    await events.test.parts.transactions.changeStatus(paid, {
      to: 'REFUNDED',
      by,
      atMs: events.nowMs,
    })
    const found = (await list()).events
    expect(found.map(({ type }) => type)).toEqual([
      'chargeback.reversed',
      'chargeback.opened',
      'refund.processed',
      'payment.cancelled',
      'payment.completed',
    ])
    expect(found.at(-1)?.code).toBe(firstEventOf(paid))
    for (const event of found)
      expect(EVENT_DATA[event.type].safeParse((event as { data?: unknown }).data).error).toBe(
        undefined,
      )
    const text = JSON.stringify(found)
    for (const payer of ['maria@example.com', 'Maria', '52998224725', '1111'])
      expect(text).not.toContain(payer)
  })

  it('report a link that is paid, behind the payment, in the same commit', async () => {
    events.test.answerCards(async ({ transactionCode }) => {
      await payByLink(events.test, Number(transactionCode))
      return APPROVED
    })
    await events.test.send('POST', '/transactions', { body: cardRequest('link-1') })
    await events.endpoint()
    const [link, payment] = (await list()).events
    expect([payment?.type, link?.type]).toEqual(['payment.completed', 'link.paid'])
    const data = EVENT_DATA['link.paid'].parse((link as { data?: unknown }).data)
    expect(data['payment-link']).toEqual({ code: 'LinkCode' })
    expect(data.payment).toMatchObject({ reference: 'link-1', amount: 100 })
  })

  it('are listed in pages, and by type, payment and time', async () => {
    const codes = [await events.pay('1'), await events.pay('2'), await events.decline('3')]
    const first = await list('?limit=2')
    expect(first.events).toHaveLength(2)
    const rest = await list(`?limit=2&cursor=${first['next-cursor']}`)
    expect(rest.events).toHaveLength(1)
    expect(rest['next-cursor']).toBe(null)
    const all = [...first.events, ...rest.events].map(({ code }) => code)
    expect(new Set(all)).toEqual(new Set(codes.map(firstEventOf)))
    expect((await list('?type=payment.cancelled')).events).toHaveLength(1)
    expect((await list(`?transaction-code=${codes[0]}`)).events).toHaveLength(1)
    expect((await list('?created-from=2030-01-01T00:00:00.000-03:00')).events).toEqual([])
    const wrong = await events.test.send('GET', '/events?type=x&limit=0&transaction-code=a')
    expect(wrong.status).toBe(400)
    expect(wrong.codes).toEqual([90611, 90621, 90616])
  })

  it('go to the endpoints of the store that take their type', async () => {
    await events.endpoint('https://shop.example/all')
    await events.endpoint('https://shop.example/refunds', { types: ['refund.processed'] })
    await events.endpoint('https://shop.example/off', { enabled: false })
    const code = await events.pay('paid')
    expect((await events.send()).map(({ url }) => url)).toEqual(['https://shop.example/all'])
    await events.refund(code, 'PROCESSED')
    const sent = await events.send()
    expect(sent.map(({ url }) => url).toSorted()).toEqual([
      'https://shop.example/all',
      'https://shop.example/refunds',
    ])
    expect(typesOf(sent)).toEqual(['refund.processed', 'refund.processed'])
  })

  it('are gone after thirty days, and with test data and erased payers', async () => {
    await events.endpoint()
    await events.pay('old')
    await events.send()
    events.nowMs += 20 * DAY_MS
    await events.pay('new')
    events.nowMs += 11 * DAY_MS
    expect((await list()).events).toHaveLength(1)
    await events.send()
    const { reader } = events.test.database
    const count = async (table: 'events' | 'event_deliveries') =>
      (await reader.selectFrom(table).select('subject').execute()).length
    expect([await count('events'), await count('event_deliveries')]).toEqual([1, 1])
    await events.test.gateway.desk.changes.deleteAnswered(MERCHANT.id)
    expect([await count('events'), await count('event_deliveries')]).toEqual([0, 0])
  })
})

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  ACCEPTED,
  FAILED,
  INTERVAL_MS,
  type TestEvents,
  firstEventOf,
  idOf,
  messageOf,
  openTestEvents,
} from './events.fixture.js'
import type { OutgoingEvent } from './model/delivery.js'

describe.each(TEST_ENGINES)('deliveries of events on $name', (engine) => {
  let events: TestEvents
  beforeEach(async () => {
    events = await openTestEvents(engine)
    onTestFinished(() => events.test.close())
  })
  const typesAt = (sent: readonly OutgoingEvent[], host: string) =>
    sent.filter(({ url }) => url.includes(host)).map((one) => messageOf(one).type)

  it('are repeated every interval, with one id, until one is accepted', async () => {
    await events.endpoint()
    await events.pay('paid')
    events.answer = () => FAILED
    const [first] = await events.send()
    expect(await events.send()).toEqual([])
    events.nowMs += INTERVAL_MS
    events.answer = () => ACCEPTED
    const [second] = await events.send()
    expect(idOf(second!)).toBe(idOf(first!))
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
    events.nowMs += DAY_MS
    expect(await events.send()).toEqual([])
  })

  it('of a payment come in order at each endpoint; none delays another endpoint or payment', async () => {
    await events.endpoint('https://good.example/')
    await events.endpoint('https://bad.example/')
    events.answer = ({ url }) => (url.includes('bad') ? FAILED : ACCEPTED)
    const code = await events.pay('paid')
    await events.send()
    await events.refund(code, 'REJECTED')
    await events.decline('other')
    const sent = await events.send()
    expect(typesAt(sent, 'good').toSorted()).toEqual(['payment.cancelled', 'refund.rejected'])
    expect(typesAt(sent, 'bad')).toEqual(['payment.cancelled'])
    events.nowMs += INTERVAL_MS
    events.answer = () => ACCEPTED
    const late = typesAt(await events.send(), 'bad')
    expect(late.filter((type) => type !== 'payment.cancelled')).toEqual([
      'payment.completed',
      'refund.rejected',
    ])
    expect(late).toHaveLength(3)
  })

  it('wait for the answer to the creation', async () => {
    const late = await openTestEvents(engine, { notifyDelayMs: 5 * SECOND_MS })
    onTestFinished(() => late.test.close())
    await late.endpoint()
    await late.pay('paid')
    expect(await late.send()).toEqual([])
    late.nowMs += 5 * SECOND_MS
    expect(await late.send()).toHaveLength(1)
  })

  it('to an endpoint that has failed for an hour are tried one by one, until it accepts one', async () => {
    await events.endpoint()
    events.answer = () => FAILED
    for (let i = 0; i < 12; i++) await events.decline(`order-${i}`)
    const tries = async () => {
      const sent = []
      for (let round = await events.send(); round.length > 0; round = await events.send())
        sent.push(...round)
      return sent
    }
    expect(await tries()).toHaveLength(12)
    events.nowMs += HOUR_MS
    const begun = await tries()
    expect(begun.length).toBeLessThan(12)
    events.nowMs += INTERVAL_MS
    expect(await tries()).toHaveLength(1)
    events.nowMs += INTERVAL_MS
    events.answer = () => ACCEPTED
    expect(await tries()).toHaveLength(12)
  })

  it('of a worker that died are made by another, and counted once', async () => {
    await events.endpoint()
    const code = await events.pay('paid')
    let isHanging = true
    const hanging = Promise.withResolvers<typeof ACCEPTED>()
    events.answer = () => (isHanging ? hanging.promise : ACCEPTED)
    const died = events.send()
    await expect.poll(() => events.sent.length).toBe(1)
    expect(await events.send()).toEqual([])
    events.nowMs += MINUTE_MS
    isHanging = false
    expect(await events.send()).toHaveLength(1)
    hanging.resolve(ACCEPTED)
    await died
    const { json } = await events.test.send('GET', `/events/${firstEventOf(code)}`)
    expect(json).toMatchObject({ event: { deliveries: [{ state: 'delivered', attempts: 1 }] } })
  })

  it('have names that are not used again once the events of a payment are forgotten', async () => {
    await events.endpoint()
    const code = await events.pay('paid')
    const [paid] = await events.send()
    events.nowMs += 31 * DAY_MS
    await events.send()
    await events.refund(code, 'PROCESSED')
    const [refunded] = await events.send()
    expect(messageOf(refunded!).type).toBe('refund.processed')
    expect(idOf(refunded!)).not.toBe(idOf(paid!))
  })

  it('are made again on demand, to one endpoint or all, however often it is asked for', async () => {
    const one = await events.endpoint('https://one.example/')
    await events.endpoint('https://two.example/', { types: ['refund.processed'] })
    const target = `/events/${firstEventOf(await events.pay('paid'))}`
    await events.send()
    const again = (body: unknown) => events.test.send('POST', `${target}/deliveries`, { body })
    expect(await again({})).toMatchObject({
      status: 200,
      json: { event: { deliveries: [{ endpoint: one.code, state: 'waiting', attempts: 1 }] } },
    })
    await again({})
    expect((await events.send()).map(({ url }) => url)).toEqual(['https://one.example/'])
    const added = await events.endpoint('https://three.example/')
    await again({ endpoint: added.code })
    expect((await events.send()).map(({ url }) => url)).toEqual(['https://three.example/'])
    const unknown = { endpoint: `ep_${'x'.repeat(24)}` }
    expect(await again(unknown)).toMatchObject({ status: 404, codes: [90625] })
    expect(await again({ endpoint: 7 })).toMatchObject({ status: 400, codes: [90623] })
    const nowhere = await events.test.send('POST', '/events/evt_1_1/deliveries', { body: {} })
    expect(nowhere).toMatchObject({ status: 404, codes: [90622] })
  })
})

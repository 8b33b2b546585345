import { DAY_MS, HOUR_MS, SECOND_MS } from '@cofre/contracts'
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

const typesOf = (sent: readonly OutgoingEvent[]) => sent.map((one) => messageOf(one).type)

describe.each(TEST_ENGINES)('the order of events on $name', (engine) => {
  let events: TestEvents
  beforeEach(async () => {
    events = await openTestEvents(engine)
    onTestFinished(() => events.test.close())
  })
  const sendAgain = (code: string) =>
    events.test.send('POST', `/events/${code}/deliveries`, { body: {} })
  const codesOf = async (reference: string): Promise<readonly string[]> => {
    const { json } = await events.test.send('GET', '/events')
    const all = (json as { events: { code: string; data: unknown }[] }).events
    return all
      .filter(({ data }) => JSON.stringify(data).includes(reference))
      .map(({ code }) => code)
      .toReversed()
  }
  const blocked = () =>
    events.test.database.reader
      .selectFrom('event_deliveries')
      .select('subject')
      .where('blocked', '=', 1)
      .execute()

  it('keeps those behind a refused one out of sight until it ends', async () => {
    await events.endpoint()
    events.answer = () => FAILED
    const code = await events.pay('paid')
    await events.send()
    await events.refund(code, 'REJECTED')
    await events.refund(code, 'PROCESSED')
    expect(await events.send()).toEqual([])
    expect(await blocked()).toHaveLength(2)
    const [first = '', second = ''] = await codesOf(String(code))
    const nextOf = async (one: string) => (await events.test.send('GET', `/events/${one}`)).text
    expect(await nextOf(first)).not.toContain('"next-attempt":null')
    expect(await nextOf(second)).toContain('"next-attempt":null')
    events.answer = () => ACCEPTED
    events.nowMs += INTERVAL_MS
    expect(typesOf(await events.send())).toEqual([
      'payment.completed',
      'refund.rejected',
      'refund.processed',
    ])
    expect(await blocked()).toEqual([])
  })

  it('goes on where the one before was deleted because of its age', async () => {
    await events.endpoint()
    events.answer = () => FAILED
    const code = await events.pay('paid')
    await events.send()
    events.nowMs += 20 * DAY_MS
    await events.refund(code, 'PROCESSED')
    await events.send()
    expect(await blocked()).toHaveLength(1)
    events.answer = () => ACCEPTED
    events.nowMs += 11 * DAY_MS
    // One round deletes the first; the next one sends the other.
    await events.send()
    await events.send()
    expect(await blocked()).toEqual([])
    expect(typesOf(events.sent).at(-1)).toBe('refund.processed')
  })

  it('is kept by one that is sent again before a worker has met the earlier one', async () => {
    await events.endpoint()
    const code = await events.pay('paid')
    await events.refund(code, 'PROCESSED')
    const [, refunded = ''] = await codesOf(String(code))
    expect(await sendAgain(refunded)).toMatchObject({ status: 200 })
    expect(typesOf(await events.send())).toEqual(['payment.completed', 'refund.processed'])
  })

  it('is kept by one that is sent again behind one that waits', async () => {
    await events.endpoint()
    events.answer = () => FAILED
    const code = await events.pay('paid')
    await events.send()
    await events.refund(code, 'PROCESSED')
    await events.send()
    const [, refunded = ''] = await codesOf(String(code))
    await sendAgain(refunded)
    expect(await events.send()).toEqual([])
    events.answer = () => ACCEPTED
    await sendAgain(firstEventOf(code))
    expect(typesOf(await events.send())).toEqual(['payment.completed', 'refund.processed'])
  })

  it('has one delivery at a time, also of what is sent again meanwhile', async () => {
    await events.endpoint()
    const code = await events.pay('paid')
    const answer = Promise.withResolvers<typeof ACCEPTED>()
    events.answer = () => answer.promise
    const sending = events.send()
    await expect.poll(() => events.sent.length).toBe(1)
    await events.refund(code, 'PROCESSED')
    await sendAgain(firstEventOf(code))
    expect(await events.send()).toEqual([])
    answer.resolve(ACCEPTED)
    await sending
    await events.send()
    expect(typesOf(events.sent)).toEqual(['payment.completed', 'refund.processed'])
  })

  it('has one delivery at a time, also where an earlier one is sent again meanwhile', async () => {
    await events.endpoint()
    const code = await events.pay('paid')
    await events.send()
    await events.refund(code, 'PROCESSED')
    const answer = Promise.withResolvers<typeof ACCEPTED>()
    events.answer = () => answer.promise
    const sending = events.send()
    await expect.poll(() => events.sent.length).toBe(2)
    await sendAgain(firstEventOf(code))
    expect(await events.send()).toEqual([])
    answer.resolve(ACCEPTED)
    await sending
    await events.send()
    expect(typesOf(events.sent)).toEqual([
      'payment.completed',
      'refund.processed',
      'payment.completed',
    ])
  })

  it('lets new ones, and those sent again, pass those that are refused each time', async () => {
    await events.endpoint()
    events.answer = () => FAILED
    const refused = []
    for (let i = 0; i < 4; i++) refused.push(await events.decline(`refused-${i}`))
    while ((await events.send()).length > 0);
    events.nowMs += INTERVAL_MS + SECOND_MS
    await events.pay('new')
    await sendAgain(firstEventOf(refused[3]!))
    // Two at once, because the endpoint did not accept the last.
    const [first, second] = await events.send()
    const references = [first, second].map((one) => messageOf(one!).data.payment?.reference)
    expect(references.toSorted()).toEqual(['new', 'refused-3'])
  })

  it('probes an endpoint that has failed for long with what a person sends again', async () => {
    await events.endpoint()
    events.answer = () => FAILED
    const codes = []
    for (let i = 0; i < 12; i++) codes.push(await events.decline(`order-${i}`))
    while ((await events.send()).length > 0);
    events.nowMs += HOUR_MS
    while ((await events.send()).length > 0);
    const event = firstEventOf(codes[5]!)
    await sendAgain(event)
    expect((await events.send()).map(idOf)).toEqual([event])
    expect(await events.send()).toEqual([])
  })

  it('is kept, and none is lost, while several workers send what is added', async () => {
    await events.endpoint('https://one.example/')
    await events.endpoint('https://two.example/')
    const codes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => events.pay(name)))
    for (const outcome of ['REJECTED', 'REJECTED', 'PROCESSED'] as const)
      await Promise.all([
        ...codes.map((code) => events.refund(code, outcome)),
        events.send(),
        events.send(),
        events.send(),
      ])
    while ((await events.send()).length > 0);
    for (const url of ['https://one.example/', 'https://two.example/'])
      for (const code of codes) {
        const own = events.sent.filter((one) => one.url === url && one.body.includes(String(code)))
        const refund = 'refund.rejected'
        expect(typesOf(own)).toEqual(['payment.completed', refund, refund, 'refund.processed'])
      }
    expect(await blocked()).toEqual([])
  })
})

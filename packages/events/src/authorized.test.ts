// Events of payments that are authorized first, and captured or released later.
import {
  type CardChange,
  DAY_MS,
  EVENT_DATA,
  type EventType,
  HOUR_MS,
  MINUTE_MS,
  minorUnits,
} from '@cofre/contracts'
import type { TransactionCode } from '@cofre/gateway/room'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { AUTHORIZED, cardRequest } from '../../gateway/src/gateway.fixture.js'
import {
  capturePayment,
  voidPayment,
} from '../../gateway/src/payment/capture/authorized-end-service.js'
import {
  carryOutOrders,
  remindOfUncaptured,
} from '../../gateway/src/payment/capture/capture-work-service.js'
import { applyCardChanges } from '../../gateway/src/payment/card-return-service.js'
import { type TestEvents, openTestEvents, payByLink } from './events.fixture.js'

interface Listed {
  readonly type: EventType
  readonly 'date-created': string
  readonly data: { readonly payment: Record<string, unknown>; readonly reason?: string }
}

const BEFORE = '2026-11-27T09:00:00.000-03:00'

describe.each(TEST_ENGINES)('events of authorized payments on $name', (engine) => {
  let events: TestEvents
  let code: TransactionCode
  beforeEach(async () => {
    events = await openTestEvents(engine)
    onTestFinished(() => events.test.close())
    code = await events.authorize('order-1')
  })

  /** The oldest first. */
  const list = async (): Promise<readonly Listed[]> => {
    const { json } = await events.test.send('GET', '/events')
    const found = (json as { events: Listed[] }).events
    for (const { data, type } of found)
      expect(EVENT_DATA[type].safeParse(data).error).toBe(undefined)
    return found.toReversed()
  }
  const types = async () => (await list()).map(({ type }) => type)
  const find = async () => (await events.test.parts.transactions.findByCode(code))!
  const capture = async (amount: number) => {
    const amountMinor = minorUnits(amount)
    await capturePayment(events.test.parts, await find(), { amountMinor, orderedBy: 'store' })
  }
  const cancel = async () => {
    await voidPayment(events.test.parts, await find(), 'store')
  }
  const work = async (ms: number): Promise<void> => {
    events.nowMs += ms
    await remindOfUncaptured(events.test.parts)
  }
  const report = async (change: CardChange['change']): Promise<void> => {
    const of = { transactionCode: String(code), atMs: events.nowMs, change }
    events.test.changes.push({ ...of, id: `change-${change.kind}` })
    await applyCardChanges(events.test.parts, AbortSignal.abort())
  }

  it('have the status AUTHORIZED until the capture, and then the captured amount', async () => {
    events.nowMs += HOUR_MS
    await capture(4_000)
    expect(await list()).toMatchObject([
      {
        type: 'payment.authorized',
        data: { payment: { status: 'AUTHORIZED', amount: 100, 'capture-before': BEFORE } },
      },
      {
        type: 'payment.completed',
        data: { payment: { status: 'COMPLETE', amount: 100, 'captured-amount': 40 } },
      },
    ])
    const [authorized, completed] = await list()
    expect(authorized?.data.payment).not.toHaveProperty('captured-amount')
    expect(completed?.data.payment).not.toHaveProperty('capture-before')
  })

  it('report a link as paid at the capture, not before', async () => {
    await payByLink(events.test, code)
    expect(await types()).toEqual(['payment.authorized'])
    await capture(4_000)
    expect(await types()).toEqual(['payment.authorized', 'payment.completed', 'link.paid'])
  })

  it('report once an authorization whose answer came late', async () => {
    events.test.answerCards(() => Promise.resolve({ ...AUTHORIZED, outcome: 'review' }))
    const body = cardRequest('order-2', { capture: false })
    const { json } = await events.test.send('POST', '/transactions', { body })
    code = Number((json.transaction as { code: string }).code) as TransactionCode
    events.nowMs += HOUR_MS
    await report({ kind: 'settled', answer: AUTHORIZED })
    await report({ kind: 'settled', answer: AUTHORIZED })
    const own = (await list()).filter(({ data }) => data.payment.code === String(code))
    expect(own).toMatchObject([
      { type: 'payment.under-review' },
      {
        type: 'payment.authorized',
        'date-created': '2026-11-21T10:00:00.000-03:00',
        data: { payment: { status: 'AUTHORIZED' } },
      },
    ])
  })

  it('remind of a capture once, two days before the rule acts', async () => {
    await work(4 * DAY_MS - 1)
    expect(await types()).toEqual(['payment.authorized'])
    events.nowMs += 1
    await Promise.all([work(0), work(0)])
    await work(HOUR_MS)
    expect(await list()).toMatchObject([
      { type: 'payment.authorized' },
      {
        type: 'payment.capture-due',
        'date-created': '2026-11-25T09:00:00.000-03:00',
        data: { payment: { status: 'AUTHORIZED', 'capture-before': BEFORE } },
      },
    ])
  })

  it('remind of no payment that is captured or void, or about to be', async () => {
    await capture(10_000)
    code = await events.authorize('order-2')
    await cancel()
    code = await events.authorize('order-3')
    events.test.endAuthorized(() => Promise.reject(new Error('connection reset')))
    await cancel()
    await work(5 * DAY_MS)
    expect(await types()).not.toContain('payment.capture-due')
    events.test.endAuthorized(() => Promise.resolve({ kind: 'refused', detail: 'no' }))
    events.nowMs += MINUTE_MS
    await carryOutOrders(events.test.parts)
    await work(HOUR_MS)
    const due = (await list()).filter(({ type }) => type === 'payment.capture-due')
    expect(due).toMatchObject([{ data: { payment: { reference: 'order-3' } } }])
  })

  it('remind later if the event cannot be written', async () => {
    const { captures } = events.test.parts
    const remind = () => Promise.reject(new Error('disk full'))
    const deps = { ...events.test.parts, captures: { ...captures, remind } }
    events.nowMs += 4 * DAY_MS
    await expect(remindOfUncaptured(deps)).rejects.toThrow()
    await work(2 * MINUTE_MS)
    expect(await types()).toEqual(['payment.authorized', 'payment.capture-due'])
  })

  it.each(['voided', 'authorization-expired'] as const)('name the reason %s', async (reason) => {
    events.nowMs += 7 * DAY_MS
    if (reason === 'voided') await cancel()
    else await report({ kind: 'released', by: 'expired' })
    expect((await list()).at(-1)).toMatchObject({
      type: 'payment.cancelled',
      data: { reason, 'decline-reason': null },
    })
  })
})

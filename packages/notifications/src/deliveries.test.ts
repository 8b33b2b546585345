import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import type { TransactionCode } from '@cofre/gateway/room'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ACKNOWLEDGED,
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
} from '../../gateway/src/gateway.fixture.js'
import { createNotificationRecord } from './index.js'
import type { OutgoingNotification, SendResult } from './model/sending.js'
import { claimNotifications, deliver } from './notification-delivery.js'
import {
  type TestNotifications,
  attemptsOf,
  openTestNotifications,
} from './notifications.fixture.js'

const INTERVAL_MS = 10 * MINUTE_MS

for (const engine of TEST_ENGINES) {
  describe(`Deliveries on ${engine.name}`, () => {
    let test: TestNotifications
    let nowMs = NOW_MS
    let sent: OutgoingNotification[]
    let receive: (notification: OutgoingNotification) => Promise<SendResult>

    beforeEach(async () => {
      nowMs = NOW_MS
      sent = []
      receive = () => Promise.resolve(ACKNOWLEDGED)
      const clock = { now: () => nowMs }
      test = await openTestNotifications(engine, {
        clock,
        machineClock: clock,
        sender: {
          send(notification) {
            sent.push(notification)
            return receive(notification)
          },
        },
      })
    })
    afterEach(() => test.close())

    const pay = async (reference: string): Promise<TransactionCode> => {
      const { json } = await test.send('POST', '/transactions', { body: cardRequest(reference) })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    const search = (code: number) => test.send('GET', `/transactions/${code}`)
    const round = async (): Promise<number> => {
      const claimed = await claimNotifications(test.deliveries, 100)
      await Promise.all(claimed.map((notification) => deliver(test.deliveries, notification)))
      return claimed.length
    }

    it('notifies the shop of a paid transaction, signed', async () => {
      const code = await pay('order-1')
      await round()
      expect(sent).toMatchObject([
        {
          url: 'https://shop.example/notifications',
          body: `transaction-code=${code}&notification-type=transaction`,
          headers: {
            'Content-Type': 'application/x-www-form-urlencoded',
            'webhook-id': `${code}-1`,
            'webhook-signature': expect.stringMatching(/^v1,/) as string,
          },
        },
      ])
    })

    it('repeats a COMPLETE notification every 10 minutes until the search was made', async () => {
      const code = await pay('order-1')
      expect(await round()).toBe(1)
      nowMs += INTERVAL_MS - 1
      expect(await round()).toBe(0)
      nowMs += 1
      expect(await round()).toBe(1)
      await search(code)
      nowMs += DAY_MS
      expect(await round()).toBe(0)
    })

    it('lets a notification rest at its 200 when the search came first', async () => {
      await search(await pay('order-1'))
      expect(await round()).toBe(1)
      nowMs += DAY_MS
      expect(await round()).toBe(0)
    })

    it.each([
      ['a 500', { statusCode: 500 }],
      ['a 204', { statusCode: 204 }],
      ['a time-out', { error: 'timeout' }],
    ] as const)('repeats after %s, and keeps every attempt', async (_, failure) => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
      const code = await pay('order-1')
      receive = () => Promise.resolve({ durationMs: 7, responseExcerpt: 'oops', ...failure })
      await round()
      nowMs += INTERVAL_MS
      receive = () => Promise.resolve(ACKNOWLEDGED)
      expect(await round()).toBe(1)
      nowMs += DAY_MS
      expect(await round()).toBe(0)
      expect(await attemptsOf(test.database, code)).toMatchObject([
        { position: 1, atMs: NOW_MS, durationMs: 7, responseExcerpt: 'oops', ...failure },
        { position: 1, atMs: NOW_MS + INTERVAL_MS, statusCode: 200 },
      ])
    })

    it('repeats an interval after an attempt was sent, however late its answer came', async () => {
      await pay('order-1')
      receive = () => {
        nowMs += 5 * MINUTE_MS
        return Promise.resolve({ statusCode: 500, durationMs: 1, responseExcerpt: '' })
      }
      await round()
      nowMs = NOW_MS + INTERVAL_MS - 1
      expect(await round()).toBe(0)
      nowMs++
      expect(await round()).toBe(1)
    })

    it('notifies of a transaction’s changes in order, each after the one before was accepted', async () => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'review' }))
      const code = await pay('order-1')
      await test.parts.transactions.changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
      receive = () => Promise.resolve({ statusCode: 500, durationMs: 1, responseExcerpt: '' })
      expect(await round()).toBe(1)
      expect(await round()).toBe(0)
      nowMs += INTERVAL_MS
      receive = () => Promise.resolve(ACKNOWLEDGED)
      expect(await round()).toBe(1)
      expect(await round()).toBe(1)
      const ids = sent.map(({ headers }) => headers['webhook-id'])
      expect(ids).toEqual([`${code}-1`, `${code}-1`, `${code}-2`])
    })

    it('gives a notification to one of two workers, and to another when the first died', async () => {
      await pay('order-1')
      const [first, second] = await Promise.all([
        claimNotifications(test.deliveries, 10),
        claimNotifications(test.deliveries, 10),
      ])
      expect(first.length + second.length).toBe(1)
      expect(await claimNotifications(test.deliveries, 10)).toHaveLength(0)
      nowMs += MINUTE_MS
      expect(await claimNotifications(test.deliveries, 10)).toHaveLength(1)
    })

    it('does not let the backlog of one store stand before another', async () => {
      const other = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(other)
      await pay('order-0')
      await round()
      for (let i = 1; i <= 40; i++) await pay(`order-${i}`)
      await test.send('POST', '/transactions', { body: cardRequest('order-1'), merchant: other })
      const claimed = await claimNotifications(test.deliveries, 4)
      expect(claimed.map(({ merchantId }) => merchantId)).toContain('store-2')
      expect(claimed).toHaveLength(4)
    })

    it('reports which stores do not answer, and for how long', async () => {
      const record = createNotificationRecord(test.database)
      await pay('order-1')
      await pay('order-2')
      expect(await record.backlog()).toEqual([
        {
          merchantId: 'store-1',
          waiting: 2,
          oldestMs: NOW_MS,
          refusedSinceMs: undefined,
          unsentSinceMs: NOW_MS,
          isFailing: false,
          isProbed: false,
        },
      ])
      expect(await record.lastRefusal('store-1')).toBeUndefined()
      receive = () => Promise.resolve({ statusCode: 500, durationMs: 1, responseExcerpt: '' })
      await round()
      nowMs += INTERVAL_MS
      await round()
      expect(await record.backlog()).toEqual([
        {
          merchantId: 'store-1',
          waiting: 2,
          oldestMs: NOW_MS,
          refusedSinceMs: NOW_MS,
          unsentSinceMs: undefined,
          isFailing: true,
          isProbed: false,
        },
      ])
      expect(await record.lastRefusal('store-1')).toEqual({
        atMs: nowMs,
        statusCode: 500,
        error: undefined,
      })
      nowMs += INTERVAL_MS
      receive = () => Promise.resolve(ACKNOWLEDGED)
      await round()
      expect(await record.backlog()).toEqual([])
    })

    it('sends a notification again by hand', async () => {
      const code = await pay('order-1')
      await search(code)
      await round()
      const { notifications } = test.deliveries
      expect(await notifications.resend(code, 1, nowMs)).toBe(true)
      expect(await notifications.resend(code, 9, nowMs)).toBe(false)
      expect(await round()).toBe(1)
    })
  })
}

import { DAY_MS, HOUR_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../gateway.fixture.js'
import type { Merchant } from '../model/merchant/merchant.js'
import { processRefunds } from './refund-service.js'
import { notificationsOf } from '../ledger/transaction/notifications.fixture.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'

const OF_STORE = 'https://shop.example/of-store'
const LATER = 'https://shop.example/later'
const OWN = 'https://shop.example/own'
const UNSET = { language: undefined, notificationUrl: undefined }
const [sqlite] = TEST_ENGINES

describe('what a store has for refunds that name none', () => {
  let test: TestGateway
  let nowMs: number
  beforeEach(async () => {
    nowMs = NOW_MS
    const clock = { now: () => nowMs }
    test = await openTestGateway(sqlite!, { clock, machineClock: clock })
    await set({ language: 'en-US', notificationUrl: OF_STORE })
  })
  afterEach(() => test.close())

  const set = (over: Partial<Merchant>) =>
    test.gateway.saveMerchant({ ...MERCHANT, ...UNSET, ...over })

  describe('a refund', () => {
    const pay = async (): Promise<string> => {
      const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      return (json.transaction as { code: string }).code
    }
    const refund = (code: string, over: Record<string, unknown> = {}, headers = {}) =>
      test.send('POST', '/refunds', { body: { 'transaction-id': code, ...over }, headers })
    const notified = async (code: string) => {
      nowMs += HOUR_MS
      await processRefunds(test.parts)
      const found = await notificationsOf(test.parts.database, Number(code) as TransactionCode)
      return found.filter(({ refundId }) => refundId !== undefined).map(({ url }) => url)
    }

    it('by the API takes the address, and keeps it', async () => {
      const code = await pay()
      expect((await refund(code)).status).toBe(201)
      await set({ notificationUrl: LATER })
      expect(await notified(code)).toEqual([OF_STORE])
    })

    it('keeps the address that it names', async () => {
      const code = await pay()
      await refund(code, { 'notify-url': OWN })
      expect(await notified(code)).toEqual([OWN])
    })

    it('without an address needs one of its store', async () => {
      await set({})
      expect(await refund(await pay())).toMatchObject({
        status: 400,
        json: { errors: [{ code: 20698, property: 'notify-url', constraint: 'required' }] },
      })
    })

    it('is the same one under its key, whatever the store has since', async () => {
      const code = await pay()
      const key = { 'idempotency-key': 'key-1' }
      const first = await refund(code, {}, key)
      await set({ notificationUrl: LATER })
      nowMs += 2 * DAY_MS
      expect(await refund(code, {}, key)).toMatchObject({ status: 201, json: first.json })
    })

    it.each([
      ['hears of its end at the address of its store', OF_STORE, [OF_STORE]],
      ['hears of its transaction alone without one', undefined, []],
    ])('begun in the console %s', async (_, notificationUrl, urls) => {
      await set({ notificationUrl })
      const code = await pay()
      const total = minorUnits(10_000)
      const order = { formId: 'f', amountMinor: total, remainingMinor: total, note: '' }
      const asked = { ...order, code, reason: 'customer-request', actor: 'person:a' } as const
      expect(await withOperator(test).gateway.paymentActs.refund(MERCHANT.id, asked)).toBe('begun')
      expect(await notified(code)).toEqual(urls)
    })
  })

  it('is asked for where a refund in the sandbox has none there', async () => {
    const beside = await openTestGateway(sqlite!, { environment: 'sandbox' })
    const live = await openTestGateway(sqlite!, { sandbox: beside.gateway })
    await live.gateway.saveMerchant({ ...MERCHANT, notificationUrl: OF_STORE })
    const { json } = await beside.send('POST', '/transactions', { body: cardRequest('order-1') })
    const { code } = json.transaction as { code: string }
    const body = { 'transaction-id': code, 'test-mode': 1 }
    expect(await live.send('POST', '/refunds', { body })).toMatchObject({
      status: 400,
      json: { errors: [{ property: 'notify-url', constraint: 'required' }] },
    })
    await live.close()
    await beside.close()
  })
})

import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOperatorView, findPayment } from '../../../../operator/src/operator-view.js'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import { createNotificationRecord } from '../../../../notifications/src/index.js'
import { deleteOldAttempts } from '../../../../notifications/src/sql/attempt-deletion-sql.js'
import { createPayerData } from '../../create-payer-data.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'

const SAVED_CARD = {
  code: 'A'.repeat(32),
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2030-12',
  createdAtMs: NOW_MS,
}
const OTHER_PAYER = { email: 'Joana@Example.com', document: { type: 'CPF', number: '11144477735' } }

for (const engine of TEST_ENGINES) {
  describe(`what is kept of payers on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    beforeEach(async () => {
      nowMs = NOW_MS
      const clock = { now: () => nowMs }
      test = await openTestGateway(engine, { clock, machineClock: clock })
    })
    afterEach(() => test.close())

    const buy = async (body: object): Promise<string> => {
      nowMs += 1
      const { json } = await test.send('POST', '/transactions', { body })
      return (json.transaction as { code: string }).code
    }
    const byOther = (reference: string) => {
      const body = cardRequest(reference)
      return { ...body, payer: { ...body.payer, ...OTHER_PAYER } }
    }
    const data = () => createPayerData(test.database)
    const erase = async (payer: string) => {
      const orders = await data().orders(payer, nowMs, 1000)
      return await data().erase(
        orders.map(({ code }) => code),
        nowMs,
      )
    }
    const ordersOf = async (payer: string) =>
      (await data().orders(payer, nowMs, 100)).map(({ reference, keptFor }) => [reference, keptFor])

    it('is found by document or e-mail, in any case and punctuation', async () => {
      await buy(cardRequest('order-1'))
      await buy(byOther('order-2'))
      for (const payer of ['529.982.247-25', '52998224725', 'MARIA@example.com'])
        expect(await ordersOf(payer)).toEqual([['order-1', 'purchase-limit']])
      expect(await ordersOf('joana@example.com')).toEqual([['order-2', 'purchase-limit']])
      expect(await ordersOf('nobody@example.com')).toEqual([])
    })

    it('leaves nothing of the person in an order that has ended and is old, and all of others', async () => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, savedCard: SAVED_CARD }))
      const paid = await buy(cardRequest('order-1'))
      const boleto = await buy(railRequest('order-2', 'boleto'))
      await buy(byOther('order-3'))
      await test.gateway.desk.changes.changeStatus(Number(boleto) as TransactionCode, 'NOT-PAID')
      expect(await data().orders('52998224725', nowMs, 100)).toMatchObject([
        { savedCard: SAVED_CARD.code },
        { savedCard: undefined },
      ])
      expect(await erase('52998224725')).toEqual([])
      nowMs += 31 * DAY_MS
      const erased = await erase('529.982.247-25')
      expect(new Set(erased.map(String))).toEqual(new Set([paid, boleto]))
      expect(await ordersOf('52998224725')).toEqual([])
      expect(await erase('52998224725')).toEqual([])
      const rows = await test.database.reader
        .selectFrom('transactions')
        .selectAll()
        .where('code', 'in', [Number(paid), Number(boleto)])
        .execute()
      expect(rows.map((row) => row.order_fingerprint)).toEqual([null, null])
      // Random, so they may contain any four digits.
      const kept = rows.map((row) => ({ ...row, code: undefined, public_id: undefined }))
      for (const word of ['maria', '52998224725', 'Silva', 'Café', '1990', '5541', SAVED_CARD.code])
        expect(JSON.stringify(kept).toLowerCase()).not.toContain(word.toLowerCase())
      expect(await ordersOf('joana@example.com')).toEqual([['order-3', undefined]])
    })

    it('leaves an erased order to searches, refunds and its acquirer', async () => {
      const code = await buy(cardRequest('order-1'))
      nowMs += 31 * DAY_MS
      await erase('maria@example.com')
      const { json } = await test.send('GET', '/transactions?reference=order-1')
      expect(json).toMatchObject({
        'transaction-result': {
          transactions: [{ 'customer-email': 'erased@erased.invalid', refundable: true }],
        },
      })
      const refund = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
      expect((await test.send('POST', '/refunds', { body: refund })).status).toBe(201)
      const { database } = test
      const notifications = createNotificationRecord(database)
      expect(await findPayment({ database, notifications }, code)).toMatchObject({
        transaction: { cardBin: '411111', paymentDetails: { charge: { accountId: 'adyen-1' } } },
      })
    })

    it('stays while the outcome of an order is open', async () => {
      await buy(railRequest('order-1', 'pix'))
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'unknown' }))
      await buy(cardRequest('order-2'))
      nowMs += 31 * DAY_MS
      expect(await erase('maria@example.com')).toEqual([])
      expect(await ordersOf('maria@example.com')).toEqual([
        ['order-1', 'outcome'],
        ['order-2', 'outcome'],
      ])
    })

    it('stays in an order that was not named', async () => {
      const first = await buy(cardRequest('order-1'))
      await buy(cardRequest('order-2'))
      nowMs += 31 * DAY_MS
      const [named] = await data().orders('maria@example.com', nowMs, 1)
      const erased = await data().erase([named!.code], nowMs)
      expect(erased.map(String)).toEqual([first])
      expect(await ordersOf('maria@example.com')).toEqual([['order-2', undefined]])
    })

    it('is erased from more orders than one unit of work takes', async () => {
      const first = await buy(cardRequest('order-1'))
      const { reader } = test.database
      const [row] = await reader.selectFrom('transactions').selectAll().execute()
      const copies = Array.from({ length: 200 }, (_, i) => ({
        ...row!,
        code: Number(first) + i + 1,
        reference: `copy-${i}`,
        public_id: `copy-${i}`,
      }))
      await test.database.transact((trx) => trx.insertInto('transactions').values(copies).execute())
      nowMs += 31 * DAY_MS
      expect(await erase('maria@example.com')).toHaveLength(201)
    })
  })

  describe(`what an operator sees on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    beforeEach(async () => {
      nowMs = NOW_MS
      test = await openTestGateway(engine, { clock: { now: () => nowMs } })
    })
    afterEach(() => test.close())

    it('are the transactions of all stores, the newest first, by status, store and reference', async () => {
      const other = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(other)
      for (const [reference, merchant] of [
        ['order-1', MERCHANT],
        ['order-1', other],
        ['order-2', MERCHANT],
      ] as const) {
        const body =
          reference === 'order-2' ? railRequest(reference, 'pix') : cardRequest(reference)
        await test.send('POST', '/transactions', { body, merchant })
        nowMs += 1000
      }
      const view = createOperatorView(test.database)
      const list = async (query: Partial<Parameters<typeof view.list>[0]> = {}) =>
        (await view.list({ sinceMs: nowMs, limit: 10, ...query })).map(
          ({ merchantId, reference }) => `${merchantId} ${reference}`,
        )
      expect(await list()).toEqual(['store-1 order-2', 'store-2 order-1', 'store-1 order-1'])
      expect(await list({ limit: 1 })).toEqual(['store-1 order-2'])
      expect(await list({ status: 'COMPLETE' })).toEqual(['store-2 order-1', 'store-1 order-1'])
      expect(await list({ reference: 'order-1' })).toEqual(['store-2 order-1', 'store-1 order-1'])
      expect(await list({ merchantId: 'store-1' })).toEqual(['store-1 order-2', 'store-1 order-1'])
      expect(await list({ merchantId: 'store-2', reference: 'order-2' })).toEqual([])
      expect(await list({ sinceMs: NOW_MS })).toEqual(['store-1 order-1'])
    })

    it('are no attempts from before a time at notifications that are done', async () => {
      const finished = { lease_until: null, acknowledged_at: nowMs, searched_at: nowMs, blocked: 0 }
      const notification = (code: number, doneAt: number | null) => ({
        ...finished,
        transaction_code: code,
        position: 1,
        merchant_id: MERCHANT.id,
        refund_id: null,
        status: 'COMPLETE' as const,
        url: 'https://shop.example',
        created_at: nowMs,
        attempts: 2,
        next_attempt_at: nowMs,
        done_at: doneAt,
      })
      const attempts = (code: number) =>
        [1, 2].map((attempt) => ({
          transaction_code: code,
          position: 1,
          attempt,
          at: nowMs + attempt,
          status_code: 200,
          error: null,
          duration_ms: 1,
          response_excerpt: '',
        }))
      const codes = Array.from({ length: 501 }, (_, code) => code + 1)
      await test.database.transact(async (trx) => {
        await trx
          .insertInto('notifications')
          .values([...codes.map((code) => notification(code, nowMs)), notification(502, null)])
          .execute()
        await trx
          .insertInto('notification_attempts')
          .values([...codes, 502].flatMap(attempts))
          .execute()
      })
      expect(await deleteOldAttempts(test.database, nowMs + 2)).toBe(501)
      expect(await deleteOldAttempts(test.database, nowMs + 2)).toBe(0)
      expect(await deleteOldAttempts(test.database, nowMs + 9)).toBe(501)
      const left = await test.database.reader
        .selectFrom('notification_attempts')
        .select('transaction_code')
        .execute()
      expect(left).toEqual([{ transaction_code: 502 }, { transaction_code: 502 }])
    })
  })
}

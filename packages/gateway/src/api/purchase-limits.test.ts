import { DAY_MS, HOUR_MS, type TransactionStatus, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type RailName,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'
import { askAfterOpenIntents } from '../payment/open-intent-service.js'
import type { TransactionCode } from '../model/transaction/transaction.js'

/** The statuses by which a payment reaches a status. */
const PATHS: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  PENDING: [],
  'UNDER-REVIEW': ['UNDER-REVIEW'],
  COMPLETE: ['COMPLETE'],
  CANCELLED: ['CANCELLED'],
  EXPIRED: ['EXPIRED'],
  'NOT-PAID': ['NOT-PAID'],
  REFUNDED: ['COMPLETE', 'REFUNDED'],
  CHARGEBACK: ['COMPLETE', 'CHARGEBACK'],
}

const LIMIT = { perTransactionMinor: minorUnits(1_000_000), perPeriodMinor: undefined }

for (const engine of TEST_ENGINES) {
  describe(`what a payer may buy on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    let machineNowMs = NOW_MS
    let orders = 0
    const clock = { now: () => nowMs }
    beforeEach(async () => {
      nowMs = NOW_MS
      orders = 0
      machineNowMs = NOW_MS
      const machineClock = { now: () => machineNowMs }
      test = await openTestGateway(engine, { clock, machineClock })
    })
    afterEach(() => test.close())

    interface Purchase {
      readonly document?: string
      readonly documentType?: string
      readonly email?: string
      readonly merchant?: typeof MERCHANT
    }
    const buy = (amount: number, purchase: Purchase = {}) => {
      const body = cardRequest(`order-${++orders}`)
      const { document = '52998224725', documentType = 'CPF', email, merchant } = purchase
      body.charge[0]!.amount = amount
      body.cart[0] = { ...body.cart[0]!, quantity: 1, 'unit-price': amount }
      body.payer.document = { type: documentType, number: document }
      body.payer.email = email ?? body.payer.email
      return test.send('POST', '/transactions', { body, ...(merchant && { merchant }) })
    }
    /** A PIX payment of the payer that has reached a status. */
    const buyAndMove = async (amount: number, status: TransactionStatus) => {
      const body = railRequest(`order-${++orders}`, 'pix', { amount })
      const { json } = await test.send('POST', '/transactions', { body })
      const code = Number((json.transaction as { code: string }).code) as TransactionCode
      for (const to of PATHS[status])
        expect(await transactions().changeStatus(code, { to, atMs: nowMs })).toBeDefined()
    }
    const transactions = () => test.parts.transactions
    const exceeded = {
      status: 422,
      json: { errors: [{ code: 210602, description: 'payment_exceed_limits' }] },
    }

    describe('within the limit of 10,000 BRL', () => {
      it('takes a transaction of exactly the limit, and not a centavo more', async () => {
        expect(await buy(10_000.01)).toMatchObject(exceeded)
        expect((await buy(10_000)).status).toBe(201)
      })

      it.each<RailName>(['boleto', 'pix', 'pagseguro'])('holds for %s too', async (rail) => {
        const body = railRequest('order-1', rail, { amount: 10_000.01 })
        expect(await test.send('POST', '/transactions', { body })).toMatchObject(exceeded)
      })

      it('calls no payment method beyond it, and leaves the reference free', async () => {
        await buy(10_000.01)
        expect(test.orders).toEqual([])
        orders = 0
        expect((await buy(1)).status).toBe(201)
      })

      it('takes the transactions of 30 days together', async () => {
        expect((await buy(6000)).status).toBe(201)
        nowMs += 29 * DAY_MS
        expect(await buy(4000.01)).toMatchObject(exceeded)
        expect((await buy(4000)).status).toBe(201)
        expect(await buy(0.2)).toMatchObject(exceeded)
        nowMs += DAY_MS
        expect((await buy(6000)).status).toBe(201)
      })

      it.each<TransactionStatus>(['CANCELLED', 'EXPIRED', 'NOT-PAID'])(
        'forgets what is %s',
        async (status) => {
          await buyAndMove(10_000, status)
          expect((await buy(10_000)).status).toBe(201)
        },
      )

      it.each<TransactionStatus>(['PENDING', 'UNDER-REVIEW', 'COMPLETE', 'REFUNDED', 'CHARGEBACK'])(
        'counts what is %s',
        async (status) => {
          await buyAndMove(10_000, status)
          expect(await buy(0.2)).toMatchObject(exceeded)
        },
      )

      it('forgets a card that was declined', async () => {
        test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
        await buy(10_000)
        test.answerCards(() => Promise.resolve(APPROVED))
        expect((await buy(10_000)).status).toBe(201)
      })

      it('forgets an order that the vault refused, or that never reached it', async () => {
        test.answerCards(() => Promise.resolve({ kind: 'refused', reason: 'token_invalid' }))
        expect((await buy(10_000)).status).toBe(400)
        test.answerCards(() => Promise.reject(new Error('connection reset')))
        expect((await buy(10_000)).status).toBe(201)
        expect(await buy(0.2)).toMatchObject(exceeded)
        machineNowMs += HOUR_MS
        await askAfterOpenIntents(test.parts)
        test.answerCards(() => Promise.resolve(APPROVED))
        expect((await buy(10_000)).status).toBe(201)
      })

      it('counts the purchases of 30 days to the millisecond', async () => {
        expect((await buy(3000)).status).toBe(201)
        nowMs += 1
        expect((await buy(4000)).status).toBe(201)
        nowMs = NOW_MS + 30 * DAY_MS - 1
        expect(await buy(3000.01)).toMatchObject(exceeded)
        nowMs += 1
        expect(await buy(6000.01)).toMatchObject(exceeded)
        expect((await buy(6000)).status).toBe(201)
        nowMs += 1
        expect(await buy(4000.01)).toMatchObject(exceeded)
        expect((await buy(4000)).status).toBe(201)
      })

      it('keeps what was bought no longer than it counts', async () => {
        const kept = () => test.database.reader.selectFrom('payer_purchases').selectAll().execute()
        await buy(6000)
        nowMs += 30 * DAY_MS
        await transactions().forgetPurchases(nowMs)
        expect(await kept()).toHaveLength(1)
        nowMs += DAY_MS
        await transactions().forgetPurchases(nowMs)
        expect(await kept()).toEqual([])
      })

      it('is each document’s own, whatever the e-mail', async () => {
        await buy(10_000)
        expect(await buy(1, { email: 'other@example.com' })).toMatchObject(exceeded)
        expect((await buy(10_000, { document: '39053344705' })).status).toBe(201)
      })

      it('knows an alphanumeric CNPJ in either case', async () => {
        await buy(10_000, { documentType: 'CNPJ', document: '12ABC34501DE35' })
        expect(await buy(1, { documentType: 'cnpj', document: '12abc34501de35' })).toMatchObject(
          exceeded,
        )
      })

      it('holds over all stores', async () => {
        await buy(6000)
        const merchant = { ...MERCHANT, id: 'store-2' }
        await test.gateway.saveMerchant(merchant)
        expect(await buy(6000, { merchant })).toMatchObject(exceeded)
      })
    })

    it('limits only single transactions in the sandbox', async () => {
      await test.close()
      test = await openTestGateway(engine, {
        clock,
        environment: 'sandbox',
        purchaseLimits: LIMIT,
      })
      expect((await buy(10_000)).status).toBe(201)
      expect((await buy(10_000)).status).toBe(201)
      expect(await buy(10_000.01)).toMatchObject(exceeded)
      const counted = test.database.reader.selectFrom('payer_purchases').selectAll()
      expect(await counted.execute()).toEqual([])
    })

    describe('unless blocked', () => {
      const block = (payer: string, byProvider: 0 | 1) =>
        test.database.transact((trx) =>
          trx.insertInto('blocked_payers').values({ payer, by_provider: byProvider }).execute(),
        )

      it.each([
        ['document', '52998224725', 0, 210603, 'payer_blacklisted'],
        ['document', '52998224725', 1, 210604, 'payer_blacklisted_by_psp'],
        ['e-mail', 'maria@example.com', 0, 210603, 'payer_blacklisted'],
        ['e-mail', 'maria@example.com', 1, 210604, 'payer_blacklisted_by_psp'],
      ] as const)('by %s (%s, %i)', async (_, payer, byProvider, code, description) => {
        await block(payer, byProvider)
        expect(await buy(1)).toMatchObject({
          status: 422,
          json: { errors: [{ code, description }] },
        })
        expect(test.orders).toEqual([])
        const body = railRequest('order-1', 'pix')
        expect(await test.send('POST', '/transactions', { body })).toMatchObject({ codes: [code] })
      })

      it('knows an e-mail in any case', async () => {
        await block('maria@example.com', 0)
        expect(await buy(1, { email: 'Maria@Example.COM' })).toMatchObject({ codes: [210603] })
      })

      it('reports the operator’s block before the provider’s, and either before the limit', async () => {
        await block('maria@example.com', 1)
        expect(await buy(20_000)).toMatchObject({ codes: [210604] })
        await block('52998224725', 0)
        expect(await buy(20_000)).toMatchObject({ codes: [210603] })
      })

      it('leaves other payers alone, and the reference free', async () => {
        await block('52998224725', 0)
        await buy(1)
        orders = 0
        const other = { document: '39053344705', email: 'joana@example.com' }
        expect((await buy(1, other)).status).toBe(201)
      })
    })
  })
}

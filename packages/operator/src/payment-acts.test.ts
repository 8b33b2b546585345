import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
  railRequest,
} from '../../gateway/src/gateway.fixture.js'
import { createPayerData } from '../../gateway/src/create-payer-data.js'
import type { Merchant } from '../../gateway/src/model/merchant/merchant.js'
import type { TransactionCode } from '../../gateway/src/model/transaction/transaction.js'
import type { Disturbance } from '../../banks/src/payment/bank-calls.fixture.js'
import { type PixGateway, openPixGateway } from '../../banks/src/payment/pix-bank.fixture.js'
import { readCharges } from '../../banks/src/payment/charge-read-service.js'
import { expireUnpaid } from '../../gateway/src/payment/expiry-service.js'
import { processRefunds } from '../../gateway/src/payment/refund-service.js'
import type { RefundOrder } from './model/payment-acts.js'
import { type TestOperator, openTestOperator, withOperator } from './operator.fixture.js'

const OTHER_STORE: Merchant = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }
const ACTOR = 'person:per_ana'

for (const engine of TEST_ENGINES) {
  describe(`what the staff does, on ${engine.name}`, () => {
    let test: TestOperator
    let nowMs = NOW_MS
    let orders = 0
    beforeAll(async () => {
      const clock = { now: () => nowMs }
      test = await openTestOperator(engine, {
        clock,
        machineClock: clock,
        purchaseLimits: { perTransactionMinor: minorUnits(100_000), perPeriodMinor: undefined },
        refundDays: ({ provider }) => Promise.resolve(provider === 'cielo' ? 330 : undefined),
      })
      await test.gateway.saveMerchant(OTHER_STORE)
    })
    afterAll(() => test.close())
    beforeEach(async () => {
      nowMs = NOW_MS
      await test.gateway.saveMerchant(MERCHANT)
    })

    const buy = async (body: (reference: string) => object, merchant = MERCHANT) => {
      orders += 1
      const answer = await test.send('POST', '/transactions', {
        body: body(`order-${orders}`),
        merchant,
      })
      return { ...answer, code: (answer.json.transaction as { code?: string } | undefined)?.code }
    }
    /** A card's payment of R$ 100,00. */
    const pay = async (): Promise<string> => (await buy(cardRequest)).code!
    const find = (code: string) => test.gateway.backOffice.findTransaction(MERCHANT.id, code)
    const refund = (code: string, over: Partial<RefundOrder> = {}, storeId: string = MERCHANT.id) =>
      test.gateway.paymentActs.refund(storeId, {
        code,
        formId: 'form-1',
        amountMinor: minorUnits(3_000),
        remainingMinor: minorUnits(10_000),
        reason: 'customer-request',
        note: 'broken cup',
        actor: ACTOR,
        ...over,
      })
    const process = async (): Promise<void> => {
      nowMs += HOUR_MS
      await processRefunds(test.parts)
    }
    const amounts = async (code: string) =>
      (await find(code))!.refunds.map(({ amountMinor }) => Number(amountMinor))
    const move = (code: string, to: 'COMPLETE' | 'CHARGEBACK') =>
      test.gateway.backOffice.changeStatus(MERCHANT.id, code, to)

    describe('a refund', () => {
      it('is kept with who requested it and why', async () => {
        const code = await pay()
        expect(await refund(code)).toBe('begun')
        const { refundNotes, refunds } = (await find(code))!
        expect(refunds).toMatchObject([{ status: 'PROCESSING', amountMinor: 3_000 }])
        expect([...refundNotes]).toEqual([
          [refunds[0]!.id, { actor: ACTOR, reason: 'customer-request', note: 'broken cup' }],
        ])
      })

      it('begins once however often its form is sent', async () => {
        const code = await pay()
        const sent = [refund(code), refund(code), refund(code)]
        expect(await Promise.all(sent)).toEqual(['begun', 'begun', 'begun'])
        await process()
        expect(await refund(code)).toBe('begun')
        expect(await amounts(code)).toEqual([3_000])
        expect((await find(code))!.refundNotes.size).toBe(1)
      })

      it('does not begin where something else remains than was confirmed', async () => {
        const code = await pay()
        await refund(code)
        await process()
        expect(await refund(code, { formId: 'form-2' })).toBe('changed')
        expect(await refund(code, { amountMinor: minorUnits(4_000) })).toBe('changed')
        expect(await amounts(code)).toEqual([3_000])
        const two = ['form-3', 'form-4'].map((formId) =>
          refund(code, { formId, remainingMinor: minorUnits(7_000) }),
        )
        expect((await Promise.all(two)).toSorted()).toEqual(['begun', 'changed'])
      })

      it('notifies the store of its status, each time that something has gone back', async () => {
        const code = await pay()
        for (const [formId, remaining] of [
          ['form-1', 10_000],
          ['form-2', 7_000],
        ] as const) {
          await refund(code, { formId, remainingMinor: minorUnits(remaining) })
          await process()
        }
        const { notifications, transaction } = (await find(code))!
        expect(transaction.status).toBe('REFUNDED')
        expect(notifications.map(({ notification }) => notification)).toMatchObject([
          { status: 'COMPLETE', refundId: undefined },
          { status: 'REFUNDED', refundId: undefined, url: transaction.notificationUrl },
          { status: 'REFUNDED', refundId: undefined },
        ])
      })

      it('that ended before it began has left nothing, and may be requested again', async () => {
        const code = await pay()
        const { insert } = test.parts.refunds
        test.parts.refunds.insert = () => Promise.reject(new Error('killed'))
        await expect(refund(code)).rejects.toThrow('killed')
        test.parts.refunds.insert = insert
        expect(await find(code)).toMatchObject({ refunds: [], refundNotes: new Map() })
        expect(await refund(code)).toBe('begun')
        expect(await amounts(code)).toEqual([3_000])
      })

      it.each([
        ['of more than was paid', {}, 12_000, 0, 'refund_amount_is_greater_than_transaction'],
        ['in part', { refunds: 'full' }, 3_000, 0, 'partial_refund_not_allowed'],
        ['at all', { refunds: 'none' }, 3_000, 0, 'service_refund_access_not_authorized'],
        ['after a long time', {}, 3_000, 400 * DAY_MS, 'expired_refund_request'],
      ] as const)('is refused as the API refuses it %s', async (_, store, amount, laterMs, why) => {
        const code = await pay()
        await test.gateway.saveMerchant({ ...MERCHANT, ...store })
        nowMs += laterMs
        expect(await refund(code, { amountMinor: minorUnits(amount) })).toEqual({ refusedFor: why })
        expect((await find(code))!.refunds).toEqual([])
      })

      it('is possible until the time of its acquirer is over', async () => {
        const charge = { ...APPROVED.charge, provider: 'cielo' }
        test.answerCards(() => Promise.resolve({ ...APPROVED, charge }))
        const code = await pay()
        test.answerCards(() => Promise.resolve(APPROVED))
        const possible = () => test.gateway.paymentActs.possible(MERCHANT.id, code)
        nowMs += 330 * DAY_MS
        expect((await possible())?.refund.obstacle).toBeUndefined()
        nowMs += 1
        const why = 'expired_refund_request'
        expect((await possible())?.refund.obstacle).toBe(why)
        expect(await refund(code)).toEqual({ refusedFor: why })
        nowMs -= 1
        expect(await refund(code)).toBe('begun')
      })

      it('shows the remainder, or why no refund is possible', async () => {
        const code = await pay()
        const possible = async () =>
          (await test.gateway.paymentActs.possible(MERCHANT.id, code))?.refund
        expect(await possible()).toEqual({
          remainingMinor: 10_000,
          obstacle: undefined,
          mayBePartial: true,
        })
        await refund(code)
        expect(await possible()).toMatchObject({
          remainingMinor: 7_000,
          obstacle: 'refund_already_requested',
        })
        await process()
        await refund(code, {
          formId: 'form-2',
          amountMinor: minorUnits(7_000),
          remainingMinor: minorUnits(7_000),
        })
        await process()
        expect(await possible()).toMatchObject({
          remainingMinor: 0,
          obstacle: 'refund_amount_is_greater_than_limit',
        })
      })
    })

    it('finds nothing of another store', async () => {
      const { paymentActs: acts } = test.gateway
      const code = await pay()
      const boleto = (await buy((reference) => railRequest(reference, 'boleto'))).code!
      expect(await refund(code, {}, OTHER_STORE.id)).toBe('not-found')
      expect(await acts.cancel(OTHER_STORE.id, boleto)).toBe('not-found')
      expect(await acts.block(OTHER_STORE.id, code, ACTOR)).toBe('not-found')
      expect(await acts.unblock(OTHER_STORE.id, code)).toBe('not-found')
      expect(await acts.possible(OTHER_STORE.id, code)).toBeUndefined()
      expect((await find(boleto))!.transaction.status).toBe('PENDING')
      expect((await find(code))!.refunds).toEqual([])
    })

    describe('the end of an open charge', () => {
      it.each(['boleto', 'pagseguro', 'pix'] as const)('cancels a %s', async (rail) => {
        const code = (await buy((reference) => railRequest(reference, rail))).code!
        expect((await test.gateway.paymentActs.possible(MERCHANT.id, code))?.mayCancel).toBe(true)
        expect(await test.gateway.paymentActs.cancel(MERCHANT.id, code)).toBe('cancelled')
        expect(await test.gateway.paymentActs.cancel(MERCHANT.id, code)).toBe('cancelled')
        const { notifications } = (await find(code))!
        expect(notifications).toMatchObject([{ notification: { status: 'CANCELLED' } }])
        expect((await test.gateway.paymentActs.possible(MERCHANT.id, code))?.mayCancel).toBe(false)
      })

      it('loses against the payment', async () => {
        const code = (await buy((reference) => railRequest(reference, 'boleto'))).code!
        await move(code, 'COMPLETE')
        expect(await test.gateway.paymentActs.cancel(MERCHANT.id, code)).toBe('paid-meanwhile')
        expect((await find(code))!.transaction.status).toBe('COMPLETE')
      })

      it('is not possible once it has ended otherwise, nor of a card', async () => {
        test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'review' }))
        const reviewed = await pay()
        const lapsed = (await buy((reference) => railRequest(reference, 'pagseguro'))).code!
        nowMs += 2 * HOUR_MS
        await expireUnpaid(test.parts)
        test.answerCards(() => Promise.resolve(APPROVED))
        for (const code of [reviewed, lapsed])
          expect(await test.gateway.paymentActs.cancel(MERCHANT.id, code)).toBe('not-possible')
      })
    })

    describe('a payer who is blocked', () => {
      const isPayerBlocked = async (code: string) =>
        (await test.gateway.paymentActs.possible(MERCHANT.id, code))?.isPayerBlocked

      it('buys nothing in that store until unblocked', async () => {
        const code = await pay()
        expect(await isPayerBlocked(code)).toBe(false)
        expect(await test.gateway.paymentActs.block(MERCHANT.id, code, ACTOR)).toBe('blocked')
        expect(await test.gateway.paymentActs.block(MERCHANT.id, code, 'person:per_eva')).toBe(
          'blocked',
        )
        expect(await isPayerBlocked(code)).toBe(true)
        const { payer, ...request } = cardRequest('order-blocked')
        const joana = { number: '39053344705', type: 'CPF' }
        for (const over of [{ email: 'JOANA@example.com' }, { document: joana }])
          expect(
            await buy((reference) => ({
              ...request,
              transaction: { ...request.transaction, reference },
              payer: { ...payer, ...over },
            })),
          ).toMatchObject({ status: 422, codes: [210603] })
        expect((await buy(cardRequest, OTHER_STORE)).status).toBe(201)
        expect(await test.gateway.paymentActs.unblock(MERCHANT.id, code)).toBe('unblocked')
        expect(await isPayerBlocked(code)).toBe(false)
        expect((await buy(cardRequest)).status).toBe(201)
      })

      it('is unknown once the payer’s data is erased', async () => {
        const code = await pay()
        nowMs += 40 * DAY_MS
        await createPayerData(test.database).erase([Number(code) as TransactionCode], nowMs)
        expect(await isPayerBlocked(code)).toBeUndefined()
        expect(await test.gateway.paymentActs.block(MERCHANT.id, code, ACTOR)).toBe('not-found')
      })
    })
  })

  describe(`the end of a PIX at its bank, on ${engine.name}`, () => {
    let pix: PixGateway
    let code: TransactionCode
    let orders = 0
    beforeAll(async () => {
      pix = await openPixGateway(engine)
    })
    beforeEach(async () => {
      orders += 1
      await pix.create(`order-${orders}`)
      code = (await pix.find(`order-${orders}`))!.code
    })
    afterAll(() => pix.close())

    const cancel = () =>
      withOperator(pix.test).gateway.paymentActs.cancel(MERCHANT.id, String(code))
    const look = async (ms: number): Promise<void> => {
      pix.time.nowMs += ms
      await readCharges(pix.parts)
    }
    const status = async () => (await pix.parts.transactions.findByCode(code))?.status

    it('removes the charge there first', async () => {
      expect(await cancel()).toBe('cancelled')
      expect(pix.bank.charges.get(pix.bank.txid)!.state).toBe('removed')
      expect(await status()).toBe('CANCELLED')
      expect(await pix.details(code)).toMatchObject({ state: 'closed' })
    })

    it('loses against a payment that is not read yet', async () => {
      pix.bank.pay()
      expect(await cancel()).toBe('paid-meanwhile')
      expect(await status()).toBe('COMPLETE')
    })

    it.each(['cut-after', 'rejected'] as const)(
      'is found soon when its answer is lost (%s)',
      async (lost: Disturbance) => {
        pix.bank.disturb('removeCharge', lost)
        expect(await cancel()).toBe('not-answered')
        expect(await status()).toBe('PENDING')
        await look(MINUTE_MS)
        expect(await status()).toBe('CANCELLED')
      },
    )

    it.each(['cut-before', 'refused', 'unavailable', 'away-for-a-minute'] as const)(
      'has changed nothing when the bank was not asked (%s)',
      async (lost: Disturbance) => {
        pix.bank.disturb('removeCharge', lost)
        expect(await cancel()).toBe('not-answered')
        await look(20 * SECOND_MS)
        expect(await status()).toBe('PENDING')
        pix.bank.pay()
        await look(MINUTE_MS)
        expect(await status()).toBe('COMPLETE')
      },
    )

    it('waits while the bank knows of money that it does not show', async () => {
      pix.bank.charges.get(pix.bank.txid)!.state = 'paid'
      expect(await cancel()).toBe('not-answered')
      expect(await status()).toBe('PENDING')
    })
  })
}

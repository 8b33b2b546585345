import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type RailName,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import type { AcquirerSale } from '../../payment/ports.js'
import { acceptsTarget } from '../../../../notifications/src/delivery/notification-target.js'

const NOTIFY_URL = 'https://shop.example/refunds'
const CIELO_DAYS: Readonly<Record<number, number>> = { 1: 330, 3: 690 }

for (const engine of TEST_ENGINES) {
  describe(`POST /refunds on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    beforeEach(async () => {
      nowMs = NOW_MS
      test = await openTestGateway(engine, { clock: { now: () => nowMs } })
    })
    afterEach(() => test.close())

    /** Code of a transaction of 100 BRL that a card has paid. */
    const paidByCard = async (gateway = test, reference = 'order-1'): Promise<string> => {
      const { json } = await gateway.send('POST', '/transactions', {
        body: cardRequest(reference),
      })
      return (json.transaction as { code: string }).code
    }
    const createdBy = async (rail: RailName): Promise<string> => {
      const { json } = await test.send('POST', '/transactions', {
        body: railRequest('order-1', rail),
      })
      return (json.transaction as { code: string }).code
    }
    const refund = (code: unknown, body: Record<string, unknown> = {}, merchant = MERCHANT) =>
      test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': NOTIFY_URL, ...body },
        merchant,
      })
    const elementOf = async (code: string) => {
      const { json } = await test.send('GET', `/transactions/${code}`)
      const result = json['transaction-result'] as {
        transactions: [{ refunds: unknown[]; refundable: boolean; status: string }]
      }
      return result.transactions[0]
    }
    const setTransaction = (values: { status?: 'COMPLETE' | 'REFUNDED'; paid_at?: number }) =>
      test.database.transact((trx) =>
        trx
          .updateTable('transactions')
          .set({ ...values, open: 0 })
          .execute(),
      )
    /** Ends the refund in process, as the payment provider's answer does. */
    const finish = async (status: 'PROCESSED' | 'REJECTED') => {
      await test.database.transact((trx) =>
        trx
          .updateTable('refunds')
          .set({ status, processed_at: nowMs })
          .where('status', '=', 'PROCESSING')
          .execute(),
      )
      if (status === 'PROCESSED') await setTransaction({ status: 'REFUNDED' })
    }

    it('refunds the whole transaction when no amount is given', async () => {
      const code = await paidByCard()
      const { status, headers, json } = await refund(code, { reference: 'return-1' })
      expect(status).toBe(201)
      expect(headers.get('content-type')).toBe('application/vnd.cofre.v2+json; charset=UTF-8')
      expect(headers.get('location')).toBe(`/transactions/${code}`)
      expect(json).toEqual({ 'refund-id': expect.stringMatching(/^\d{14,15}$/) as string })
      expect(await elementOf(code)).toMatchObject({
        status: 'COMPLETE',
        refunds: [
          {
            'refund-id': json['refund-id'],
            'refund-status': 'PROCESSING',
            'refund-amount': '100.00',
            'refund-date': '2026-11-21T09:00:00.000-03:00',
            'refund-processing-date': null,
            'refund-reference': 'return-1',
          },
        ],
      })
    })

    it.each([
      ['a number', Number],
      ['a string', String],
    ])('takes the transaction’s code as %s', async (_, spell) => {
      expect((await refund(spell(await paidByCard()))).status).toBe(201)
    })

    it('refunds in parts up to the whole, and shows them all', async () => {
      const code = await paidByCard()
      const parts = [30, 30.5, '39.50']
      for (const amount of parts) {
        expect((await refund(code, { amount })).status).toBe(201)
        await finish('PROCESSED')
        nowMs += DAY_MS
      }
      const { refunds } = await elementOf(code)
      expect(refunds).toMatchObject([
        {
          'refund-status': 'PROCESSED',
          'refund-amount': '30.00',
          'refund-date': '2026-11-21T09:00:00.000-03:00',
          'refund-processing-date': '2026-11-21T09:00:00.000-03:00',
          'refund-reference': null,
        },
        { 'refund-amount': '30.50', 'refund-date': '2026-11-22T09:00:00.000-03:00' },
        { 'refund-amount': '39.50', 'refund-date': '2026-11-23T09:00:00.000-03:00' },
      ])
      expect(await refund(code, { amount: 0.01 })).toMatchObject({ status: 422, codes: [20608] })
    })

    it('forgets the amount of a refund that was rejected', async () => {
      const code = await paidByCard()
      await refund(code)
      await finish('REJECTED')
      nowMs += 1
      expect((await refund(code)).status).toBe(201)
      expect((await elementOf(code)).refunds).toMatchObject([
        { 'refund-status': 'REJECTED', 'refund-processing-date': null },
        { 'refund-status': 'PROCESSING', 'refund-processing-date': null },
      ])
    })

    it('starts exactly one of many refunds at once', async () => {
      const code = await paidByCard()
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => refund(code, { amount: 1 + i })),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      const others = answers.filter(({ status }) => status !== 201)
      expect(others).toHaveLength(11)
      for (const other of others) expect(other).toMatchObject({ status: 409, codes: [20607] })
      expect((await elementOf(code)).refunds).toHaveLength(1)
    })

    it('starts refunds of different transactions at once', async () => {
      const codes = [await paidByCard(test, 'order-1'), await paidByCard(test, 'order-2')]
      const answers = await Promise.all(codes.map((code) => refund(code)))
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
    })

    it('refuses a second refund while one is in process', async () => {
      const code = await paidByCard()
      await refund(code, { amount: 10 })
      expect(await refund(code, { amount: 10 })).toMatchObject({ status: 409, codes: [20607] })
    })

    it.each<[string, number, number, Record<string, unknown>]>([
      ['more than is left', 60, 20608, { amount: 40.01 }],
      ['the whole after a part', 60, 20608, {}],
      ['more than the transaction', 0, 20609, { amount: 100.01 }],
      ['more than the transaction after a part', 60, 20609, { amount: 100.01 }],
    ])('refuses %s', async (_, before, code, body) => {
      const transaction = await paidByCard()
      if (before > 0) {
        await refund(transaction, { amount: before })
        await finish('PROCESSED')
      }
      expect(await refund(transaction, body)).toMatchObject({ status: 422, codes: [code] })
    })

    it.each<[string, (typeof MERCHANT)['refunds'], number, Record<string, unknown>]>([
      ['a store that may not refund', 'none', 20612, {}],
      ['a reseller', 'reseller', 20613, {}],
      ['a part, to a store that refunds in full', 'full', 20622, { amount: 99.99 }],
    ])('refuses a refund to %s', async (_, refunds, code, body) => {
      const transaction = await paidByCard()
      await test.gateway.saveMerchant({ ...MERCHANT, refunds })
      expect(await refund(transaction, body)).toMatchObject({ status: 422, codes: [code] })
    })

    it('refunds in full for a store that refunds only in full', async () => {
      const code = await paidByCard()
      await test.gateway.saveMerchant({ ...MERCHANT, refunds: 'full' })
      expect((await refund(code, { amount: 100 })).status).toBe(201)
    })

    it('refuses a method that takes nothing back', async () => {
      const code = await createdBy('paypal')
      await setTransaction({ status: 'COMPLETE', paid_at: nowMs })
      expect(await refund(code)).toMatchObject({ status: 422, codes: [20605] })
    })

    it.each(['boleto', 'pix', 'pagseguro'] as const)('refunds %s once it is paid', async (rail) => {
      const code = await createdBy(rail)
      expect(await refund(code)).toMatchObject({ status: 422, codes: [20615] })
      await setTransaction({ status: 'COMPLETE', paid_at: nowMs })
      expect((await refund(code)).status).toBe(201)
    })

    it.each(['declined', 'pending', 'review', 'unknown'] as const)(
      'refuses a card that is %s',
      async (outcome) => {
        test.answerCards(() => Promise.resolve({ ...APPROVED, outcome }))
        expect(await refund(await paidByCard())).toMatchObject({ status: 422, codes: [20615] })
      },
    )

    it('refuses an unknown transaction, and another store’s', async () => {
      const code = await paidByCard()
      expect(await refund('58000000000000')).toMatchObject({ status: 404, codes: [20614] })
      const merchant = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(merchant)
      expect(await refund(code, {}, merchant)).toMatchObject({ status: 404, codes: [20614] })
      expect((await elementOf(code)).refunds).toEqual([])
    })

    it.each<[RailName | 'card', number]>([
      ['card', 360],
      ['pix', 90],
      ['boleto', 90],
    ])('refunds %s for %i days after the payment, and not longer', async (method, days) => {
      const code = method === 'card' ? await paidByCard() : await createdBy(method)
      nowMs += 2 * DAY_MS
      await setTransaction({ status: 'COMPLETE', paid_at: nowMs })
      nowMs += days * DAY_MS + 1
      expect(await refund(code)).toMatchObject({ status: 422, codes: [20621] })
      nowMs -= 1
      expect((await refund(code)).status).toBe(201)
    })

    it.each([
      ['Cielo in one', 'cielo', 1, 330],
      ['Cielo in installments', 'cielo', 3, 690],
      ['an acquirer whose time nobody knows', 'adyen', 3, 360],
    ])('refunds a sale of %s until its last day', async (_, provider, installments, days) => {
      await test.close()
      const refundDays = (sale: AcquirerSale) =>
        Promise.resolve(
          sale.provider === 'cielo' && sale.brand === 'visa'
            ? CIELO_DAYS[sale.installments]
            : undefined,
        )
      test = await openTestGateway(engine, { clock: { now: () => nowMs }, refundDays })
      const charge = { ...APPROVED.charge, provider }
      test.answerCards(() => Promise.resolve({ ...APPROVED, charge }))
      const body = cardRequest('order-1', { installments })
      const { json } = await test.send('POST', '/transactions', { body })
      const { code } = json.transaction as { code: string }
      nowMs += days * DAY_MS + 1
      expect((await elementOf(code)).refundable).toBe(false)
      expect(await refund(code)).toMatchObject({ status: 422, codes: [20621] })
      nowMs -= 1
      expect((await elementOf(code)).refundable).toBe(true)
      expect((await refund(code)).status).toBe(201)
    })

    it('refuses a notification URL on another port', async () => {
      await test.close()
      test = await openTestGateway(engine, {
        requestPolicy: { wallets: [], acceptsNotificationUrl: (url) => acceptsTarget(url, []) },
      })
      const answer = await refund('1', { 'notify-url': 'https://shop.example:8443/refunds' })
      expect(answer).toMatchObject({
        status: 400,
        json: { errors: [{ code: 20698, property: 'notify-url', constraint: 'invalid' }] },
      })
    })

    it('takes the digest of the body in either spelling', async () => {
      const code = await paidByCard()
      const body = { 'transaction-id': code, 'notify-url': NOTIFY_URL }
      expect((await test.send('POST', '/refunds', { body, digest: 'hex' })).status).toBe(201)
    })

    it('answers our own failure with 20601', async () => {
      await test.close()
      expect(await refund('1')).toMatchObject({
        status: 500,
        json: { errors: [{ code: 20601, description: 'internal_server_error' }] },
      })
      test = await openTestGateway(engine)
    })

    describe('with a sandbox beside', () => {
      let sandbox: TestGateway
      beforeEach(async () => {
        await test.close()
        sandbox = await openTestGateway(engine, { environment: 'sandbox' })
        test = await openTestGateway(engine, { sandbox: sandbox.gateway })
      })
      afterEach(() => sandbox.close())

      const refundsIn = ({ database }: TestGateway) =>
        database.reader.selectFrom('refunds').select('transaction_code').execute()

      it('starts a refund in test mode there', async () => {
        const code = await paidByCard(sandbox)
        const { status, headers } = await refund(code, { 'test-mode': 1 })
        expect(status).toBe(201)
        expect(headers.get('location')).toBe(`/transactions/${code}`)
        expect(await refundsIn(sandbox)).toEqual([{ transaction_code: Number(code) }])
        expect(await refundsIn(test)).toEqual([])
      })

      it('does not find a production transaction in test mode, nor the other way around', async () => {
        const real = await paidByCard()
        expect(await refund(real, { 'test-mode': 1 })).toMatchObject({ codes: [20614] })
        const tried = await paidByCard(sandbox, 'order-2')
        expect(await refund(tried, { 'test-mode': 0 })).toMatchObject({ codes: [20614] })
        expect((await refund(real, { 'test-mode': 0 })).status).toBe(201)
      })

      it('refuses a store that the sandbox does not know', async () => {
        const merchant = { ...MERCHANT, id: 'store-2' }
        await test.gateway.saveMerchant(merchant)
        expect(await refund('1', { 'test-mode': 1 }, merchant)).toMatchObject({
          status: 422,
          codes: [20604],
        })
      })

      it('takes either mode on the sandbox’s own origin', async () => {
        const code = await paidByCard(sandbox)
        const body = { 'transaction-id': code, 'notify-url': NOTIFY_URL, 'test-mode': 1 }
        expect((await sandbox.send('POST', '/refunds', { body })).status).toBe(201)
        const other = { ...body, 'test-mode': 0 }
        expect(await sandbox.send('POST', '/refunds', { body: other })).toMatchObject({
          codes: [20607],
        })
      })
    })
  })

  describe(`a wrong refund on ${engine.name}`, () => {
    let test: TestGateway
    let code: string
    beforeAll(async () => {
      test = await openTestGateway(engine)
      const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      code = (json.transaction as { code: string }).code
    })
    afterAll(() => test.close())

    it.each<[string, Record<string, unknown>, Record<string, unknown>[]]>([
      [
        'nothing',
        { 'transaction-id': undefined, 'notify-url': undefined },
        [
          { property: 'transaction-id', constraint: 'required' },
          { property: 'notify-url', constraint: 'required' },
        ],
      ],
      [
        'a missing property and too small an amount',
        { 'notify-url': '', amount: 0 },
        [
          { property: 'notify-url', constraint: 'required' },
          { property: 'amount', constraint: 'minimum', minimum: 0.01 },
        ],
      ],
      ['a code of letters', { 'transaction-id': 'abc' }, [{ property: 'transaction-id' }]],
      ['a code with a fraction', { 'transaction-id': 1.5 }, [{ property: 'transaction-id' }]],
      ['a negative code', { 'transaction-id': -1 }, [{ property: 'transaction-id' }]],
      ['a code of 16 digits', { 'transaction-id': '1'.repeat(16) }, [{}]],
      ['a code that is a list', { 'transaction-id': [1] }, [{ property: 'transaction-id' }]],
      ['three decimals', { amount: 1.001 }, [{ property: 'amount', constraint: 'invalid' }]],
      ['a comma', { amount: '10,00' }, [{ property: 'amount', constraint: 'invalid' }]],
      ...['-5', -5, 0, '-0.005', 0.001].map(
        (amount): [string, Record<string, unknown>, Record<string, unknown>[]] => [
          `an amount of ${amount}`,
          { amount },
          [{ property: 'amount', constraint: 'minimum', minimum: 0.01 }],
        ],
      ),
      ['an amount that is an object', { amount: {} }, [{ property: 'amount' }]],
      ['another mode', { 'test-mode': 2 }, [{ property: 'test-mode' }]],
      ['a URL that is none', { 'notify-url': 'shop.example' }, [{ property: 'notify-url' }]],
      ['a URL of another kind', { 'notify-url': 'ftp://shop.example/' }, [{}]],
      ['a URL with a password', { 'notify-url': 'https://a:b@shop.example/' }, [{}]],
      ['a URL with a NUL', { 'notify-url': 'https://shop.example/\u0000' }, [{}]],
      [
        'a reference of 65 characters',
        { reference: 'x'.repeat(65) },
        [{ property: 'reference', constraint: 'maximum' }],
      ],
      ['a reference with a NUL', { reference: 'a\u0000b' }, [{ property: 'reference' }]],
    ])('refuses %s with 20698', async (_, over, errors) => {
      const body = { 'transaction-id': code, 'notify-url': NOTIFY_URL, ...over }
      const answer = await test.send('POST', '/refunds', { body })
      expect(answer.status).toBe(400)
      expect(answer.json.errors).toMatchObject(errors.map((error) => ({ code: 20698, ...error })))
    })

    it.each(['[]', '"text"', 'null', '1', '{"transaction-id":', 'transaction-id=1'])(
      'refuses the body %s with one 20698',
      async (body) => {
        expect(await test.send('POST', '/refunds', { body })).toMatchObject({
          status: 400,
          codes: [20698],
        })
      },
    )
  })
}

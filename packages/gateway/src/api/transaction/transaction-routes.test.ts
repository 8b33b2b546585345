import { randomInt } from 'node:crypto'
import { DAY_MS, type Decline } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  cardRequest,
  openTestGateway,
  type TestGateway,
} from '../../gateway.fixture.js'
import { stopTime } from '../../payment/stopped-time.fixture.js'

const SAVED_CARD = {
  code: '0123456789ABCDEF0123456789ABCDEF',
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2030-12',
  createdAtMs: Date.UTC(2026, 10, 21, 12),
}

for (const engine of TEST_ENGINES) {
  describe(`POST /transactions on ${engine.name}`, () => {
    let test: TestGateway
    beforeEach(async () => {
      test = await openTestGateway(engine)
    })
    afterEach(() => test.close())

    const pay = (reference: string, info?: Record<string, unknown>) =>
      test.send('POST', '/transactions', { body: cardRequest(reference, info) })
    const find = (code: unknown) => test.send('GET', `/transactions/${String(code)}`)

    it('answers an approved card with a PAID transaction in the shape of the spec', async () => {
      const { status, headers, text, json } = await pay('order-1')
      expect(status).toBe(201)
      expect(headers.get('content-type')).toBe('application/vnd.cofre.v2+json; charset=UTF-8')
      expect(text).toContain('"amount":100.00,')
      expect(json).toEqual({
        transaction: {
          code: expect.stringMatching(/^\d{14,15}$/) as string,
          reference: 'order-1',
          amount: 100,
          status: 'PAID',
          currency: 'BRL',
          country: 'BR',
          'payer-email': 'maria@example.com',
          'date-created': '2026-11-21T09:00:00.000-03:00',
        },
      })
    })

    it.each([
      ['declined', 'REJECTED', 'CANCELLED'],
      ['pending', 'PENDING', 'PENDING'],
      ['review', 'PENDING', 'UNDER-REVIEW'],
      ['unknown', 'PENDING', 'UNDER-REVIEW'],
    ] as const)(
      'answers a card that is %s with %s, found as %s',
      async (outcome, created, found) => {
        test.answerCards(() => Promise.resolve({ ...APPROVED, outcome }))
        const { json } = await pay('order-1')
        expect(json).toMatchObject({ transaction: { status: created } })
        const { code } = json.transaction as { code: string }
        const search = await find(code)
        expect(search.json).toMatchObject({
          'transaction-result': {
            transactions: [{ status: found, 'payment-date': null, refundable: false }],
          },
        })
      },
    )

    it('gives the vault what is left of the time that its shop waits', async () => {
      stopTime()
      const { find: findMerchant } = test.parts.merchants
      test.parts.merchants.find = async (id) => {
        vi.advanceTimersByTime(3000)
        return await findMerchant(id)
      }
      const { insertIntent } = test.parts.transactions
      test.parts.transactions.insertIntent = async (...intent) => {
        vi.advanceTimersByTime(8000)
        return await insertIntent(...intent)
      }
      await pay('order-1')
      expect(test.orders.map(({ deadline }) => deadline?.leftMs())).toEqual([4000])
    })

    it.each<[string, Decline, object]>([
      [
        'a reason whose bank allows a retry',
        { reason: 'insufficient_funds', code: '51', retry: { kind: 'allowed', afterMs: DAY_MS } },
        {
          reason: 'insufficient_funds',
          code: '51',
          'retry-allowed': true,
          'retry-date': '2026-11-22T09:00:00.000-03:00',
        },
      ],
      [
        'a reason whose bank forbids it',
        { reason: 'stolen_card', code: '43', retry: { kind: 'never' } },
        { reason: 'stolen_card', code: '43', 'retry-allowed': false },
      ],
      [
        'a reason without a code',
        { reason: 'retry_not_allowed', retry: { kind: 'never' } },
        { reason: 'retry_not_allowed', 'retry-allowed': false },
      ],
    ])('says why a card was declined: %s', async (_, decline, shown) => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined', decline }))
      const { json } = await pay('order-1')
      expect(json.transaction).toMatchObject({ status: 'REJECTED' })
      const { code, decline: answered } = json.transaction as { code: string; decline: object }
      expect(answered).toEqual(shown)
      const results = (await find(code)).json['transaction-result']
      expect((results as { transactions: object[] }).transactions).toMatchObject([
        { status: 'CANCELLED', decline: shown },
      ])
    })

    it('has no decline if the card was not declined', async () => {
      const { json } = await pay('order-1')
      expect(json.transaction).not.toHaveProperty('decline')
      const { code } = json.transaction as { code: string }
      expect((await find(code)).text).not.toContain('decline')
    })

    it('shows a lost answer as pending, and keeps the intent open', async () => {
      test.answerCards(() => Promise.reject(new Error('connection reset')))
      const { status, json } = await pay('order-1')
      expect(status).toBe(201)
      expect(json).toMatchObject({ transaction: { status: 'PENDING' } })
      const row = await test.database.reader
        .selectFrom('transactions')
        .selectAll()
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({ open: 1, status: 'UNDER-REVIEW', paid_at: null })
    })

    it('commits the intent before the vault is asked, with the code as idempotency key', async () => {
      let committed: unknown
      test.answerCards(async (order) => {
        committed = await test.database.reader
          .selectFrom('transactions')
          .select(['code', 'open', 'reference'])
          .executeTakeFirst()
        expect(order.transactionCode).toBe(String((committed as { code: number }).code))
        return APPROVED
      })
      await pay('order-1')
      expect(committed).toMatchObject({ open: 1, reference: 'order-1' })
    })

    it('charges the card with the interest and echoes the amount without', async () => {
      const { json } = await pay('order-1', { installments: 3 })
      expect(json).toMatchObject({ transaction: { amount: 100 } })
      expect(test.orders[0]).toMatchObject({ amountMinor: 10_605, installments: 3 })
    })

    it('refuses more installments than the amount allows', async () => {
      const body = cardRequest('order-1', { installments: 12 })
      body.charge[0]!.amount = 20
      body.cart[0]!['unit-price'] = 10
      expect((await test.send('POST', '/transactions', { body })).codes).toEqual([210214])
    })

    it('answers a saved card with its code and mask, and shows it in the search', async () => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, savedCard: SAVED_CARD }))
      const { json } = await pay('order-1', { save: true })
      const method = {
        code: SAVED_CARD.code,
        'credit-card': {
          brand: 'visa',
          'masked-number': '************1111',
          'expiration-date': '2030-12',
        },
        'date-created': '2026-11-21T09:00:00.000-03:00',
      }
      expect(json['payment-methods']).toEqual([method])
      expect(test.orders[0]).toMatchObject({ saveCard: true })
      const { code } = json.transaction as { code: string }
      expect((await find(code)).json).toMatchObject({
        'transaction-result': { transactions: [{ 'payment-methods': [method] }] },
      })
    })

    it('hands the vault a saved code instead of a token', async () => {
      await pay('order-1', { token: undefined, code: SAVED_CARD.code })
      expect(test.orders[0]?.source).toEqual({ kind: 'code', code: SAVED_CARD.code })
    })

    it.each([
      ['token_invalid', 400, 210216],
      ['brand_not_accepted', 400, 210216],
      ['brand_mismatch', 400, 210210],
      ['code_not_found', 422, 210605],
    ] as const)(
      'answers the refusal %s with %i and %i, and frees the reference',
      async (reason, status, code) => {
        test.answerCards(() => Promise.resolve({ kind: 'refused', reason }))
        const refused = await pay('order-1')
        expect(refused).toMatchObject({ status, codes: [code] })
        test.answerCards(() => Promise.resolve(APPROVED))
        expect((await pay('order-1')).status).toBe(201)
      },
    )

    it('takes a reference once', async () => {
      expect((await pay('order-1')).status).toBe(201)
      expect(await pay('order-1')).toMatchObject({
        status: 409,
        json: {
          errors: [
            {
              code: 210104,
              description: 'transaction_reference_invalid',
              property: 'transaction.reference',
              constraint: 'unique',
            },
          ],
        },
      })
      expect(test.orders).toHaveLength(1)
    })

    it('lets exactly one of many concurrent requests with one reference pay', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => pay('order-1')))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
      expect(test.orders).toHaveLength(1)
    })

    it('draws another code when one is taken', async () => {
      await test.close()
      const drawn = [7, 7, 8]
      test = await openTestGateway(engine, {
        randomBelow: (limit) => (limit === 10_000 ? (drawn.shift() ?? 9) : randomInt(limit)),
      })
      const codes = [(await pay('order-1')).json, (await pay('order-2')).json].map((json) =>
        (json.transaction as { code: string }).code.slice(-1),
      )
      expect(codes).toEqual(['7', '8'])
    })

    it('refuses a raw card of a store that may not send one', async () => {
      const body = cardRequest('order-1', {
        token: undefined,
        'credit-card': { number: '4111111111111111', cvv: '123', 'expiration-date': '2030-12' },
      })
      body.payer = { ...body.payer, ...{ ip: '127.0.0.1' } }
      body.charge[0] = { ...body.charge[0]!, ...{ currency: 'BRL' } }
      expect(await test.send('POST', '/transactions', { body })).toMatchObject({
        status: 422,
        codes: [210601],
      })
      expect(test.orders).toEqual([])
    })

    it('reports all failures of a body at once, in its order, with their properties', async () => {
      const body = cardRequest('not a reference!')
      const payer = { ...body.payer, name: undefined }
      const answer = await test.send('POST', '/transactions', {
        body: { ...body, payer, cart: [] },
      })
      expect(answer.status).toBe(400)
      expect(answer.json.errors).toMatchObject([
        {
          code: 210104,
          description: 'transaction_reference_invalid',
          property: 'transaction.reference',
          constraint: 'invalid',
        },
        {
          code: 210303,
          description: 'payer_name_missing',
          property: 'payer.name',
          constraint: 'required',
        },
        { code: 210502, description: 'cart_invalid', property: 'cart', constraint: 'minimum' },
      ])
    })

    it.each(['{', 'null', '[]', '"text"', '{"transaction":', '\u0000'])(
      'refuses the body %j as invalid',
      async (body) => {
        expect(await test.send('POST', '/transactions', { body })).toMatchObject({
          status: 400,
          codes: [210005],
        })
      },
    )

    it('keeps neither token nor saved code in the database', async () => {
      await pay('order-1', { token: 'a.secret.token.of.mine' })
      await pay('order-2', { token: undefined, code: SAVED_CARD.code })
      const rows = await test.database.reader.selectFrom('transactions').selectAll().execute()
      expect(JSON.stringify(rows)).not.toMatch(/secret\.token|0123456789ABCDEF/)
    })

    it('finds a transaction in the shape of the spec', async () => {
      const { code } = (await pay('order-1')).json.transaction as { code: string }
      const { status, headers, json } = await find(code)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('application/vnd.cofre.v1+json; charset=UTF-8')
      expect(json).toEqual({
        'transaction-result': {
          'store-id': 'store-1',
          transactions: [
            {
              'transaction-code': code,
              'order-id': 'order-1',
              'order-description': 'Café',
              status: 'COMPLETE',
              currency: 'BRL',
              amount: '100.00',
              'customer-email': 'maria@example.com',
              'customer-country': 'BR',
              'notify-url': 'https://shop.example/notifications',
              'payment-country': 'BR',
              'payment-id': 'visa',
              'payment-name': 'Visa',
              'order-date': '2026-11-21T09:00:00.000-03:00',
              'payment-date': '2026-11-21T09:00:00.000-03:00',
              'last-status-change-date': '2026-11-21T09:00:00.000-03:00',
              'chargeback-date': null,
              refundable: true,
              refunds: [],
              'refunded-amount': '0.00',
              'payment-methods': [],
            },
          ],
        },
        metadata: { found: '1', 'page-results': 1, 'current-page': 1, 'total-pages': 1 },
      })
    })

    it('finds only what is the store’s own', async () => {
      const { code } = (await pay('order-1')).json.transaction as { code: string }
      const merchant = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(merchant)
      expect(await test.send('GET', `/transactions/${code}`, { merchant })).toMatchObject({
        status: 404,
        codes: [20614],
      })
    })

    it.each(['abc', '0', '1234567890123456', '-5'])('refuses the code %s', async (code) => {
      expect(await find(code)).toMatchObject({ status: 400, codes: [22120] })
    })
  })
}

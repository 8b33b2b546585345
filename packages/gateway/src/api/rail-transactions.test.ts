import { TEST_SQLITE } from '@cofre/sql/testing'
import { isValidBoleto, isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  RAILS,
  REDIRECTS,
  type RailName,
  TEST_RAILS,
  type TestGateway,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'

const RAIL_NAMES = Object.keys(RAILS) as RailName[]

/** The fields of every created transaction, whatever its method. */
const common = {
  code: expect.stringMatching(/^\d{14,15}$/) as string,
  reference: 'order-1',
  amount: 100,
  status: 'PENDING',
  currency: 'BRL',
  country: 'BR',
  'payer-email': 'maria@example.com',
  'date-created': '2026-11-21T09:00:00.000-03:00',
}

describe('a payment without a card', () => {
  let test: TestGateway
  beforeEach(async () => {
    test = await openTestGateway(TEST_SQLITE)
  })
  afterEach(() => test.close())

  const create = (rail: RailName, options: Parameters<typeof railRequest>[2] = {}) =>
    test.send('POST', '/transactions', { body: railRequest('order-1', rail, options) })
  const withRails = async (rails: Partial<PaymentRails>) => {
    await test.close()
    test = await openTestGateway(TEST_SQLITE, { rails: { ...TEST_RAILS, ...rails } })
  }

  it('answers a boleto with barcode, digitable line and a short address', async () => {
    const { status, headers, text, json } = await create('boleto')
    expect(status).toBe(201)
    expect(headers.get('content-type')).toBe('application/vnd.cofre.v2+json; charset=UTF-8')
    expect(text).toContain('"amount":100.00,')
    expect(json).toEqual({
      transaction: {
        ...common,
        'barcode-number': expect.stringMatching(/^0339\d{40}$/) as string,
        'digitable-line': expect.stringMatching(/^0339\d{43}$/) as string,
        'payment-url': expect.stringMatching(/^https:\/\/api\.example\.com\/b\/\w{16}$/) as string,
      },
    })
    const transaction = json.transaction as Record<string, string>
    expect(transaction['payment-url']!.length).toBeLessThanOrEqual(64)
    expect(isValidBoleto(transaction['digitable-line']!)).toBe(true)
    // Value and factor of the due date, three days ahead.
    expect(transaction['barcode-number']!.slice(5, 19)).toBe('16400000010000')
  })

  it('answers a PIX charge with its code and a short address of its picture', async () => {
    const { json } = await create('pix')
    expect(json).toEqual({
      transaction: {
        ...common,
        'payment-code': expect.any(String) as string,
        'qrcode-image': expect.stringMatching(
          /^https:\/\/api\.example\.com\/q\/\w{16}\.png$/,
        ) as string,
      },
    })
    const transaction = json.transaction as Record<string, string>
    expect(transaction['qrcode-image']!.length).toBeLessThanOrEqual(64)
    expect(transaction['payment-code']!.length).toBeLessThanOrEqual(250)
    expect(transaction['payment-code']).toContain('5406100.00')
    expect(isValidPixPayload(transaction['payment-code']!)).toBe(true)
  })

  it.each(['pagseguro', 'paypal'] as const)(
    'answers the wallet %s with the address of its page',
    async (wallet) => {
      const { json } = await create(wallet)
      expect(json).toEqual({
        transaction: {
          ...common,
          'payment-url': expect.stringMatching(
            new RegExp(String.raw`^https://${wallet}\.example\.com/\w{16}$`),
          ) as string,
        },
      })
    },
  )

  it.each<[RailName, string]>([
    ['boleto', 'Boleto'],
    ['pix', 'PIX'],
    ['pagseguro', 'PagSeguro'],
    ['paypal', 'PayPal'],
  ])('finds %s in the search as %s, waiting for its payment', async (rail, name) => {
    const { code } = (await create(rail)).json.transaction as { code: string }
    const { json } = await test.send('GET', `/transactions/${code}`)
    expect(json).toMatchObject({
      'transaction-result': {
        transactions: [
          {
            'transaction-code': code,
            'order-id': 'order-1',
            status: 'PENDING',
            amount: '100.00',
            'payment-id': rail,
            'payment-name': name,
            'payment-date': null,
            'chargeback-date': null,
            refundable: false,
            refunds: [],
            'payment-methods': [],
          },
        ],
      },
    })
  })

  it.each<[RailName, number, number]>([
    ['boleto', 0.01, 0],
    ['pagseguro', 0.01, 0],
    ['pix', 1, 0.99],
  ])('takes %s from %d BRL, not %d', async (rail, least, less) => {
    expect((await create(rail, { amount: least })).status).toBe(201)
    const body = railRequest('order-2', rail, { amount: less })
    const refused = await test.send('POST', '/transactions', { body })
    expect(refused.status).toBe(400)
    expect(refused.codes).toContain(210204)
  })

  it('hands the rails the order and never asks the vault', async () => {
    const asked: unknown[] = []
    await withRails({
      registerBoleto: (order, dueDate) => {
        asked.push({ ...order, dueDate })
        return TEST_RAILS.registerBoleto(order, dueDate)
      },
      openWallet: (order) => {
        asked.push(order)
        return TEST_RAILS.openWallet(order)
      },
    })
    const boleto = await create('boleto')
    await test.send('POST', '/transactions', { body: railRequest('order-2', 'paypal') })
    expect(asked).toMatchObject([
      {
        merchantId: 'store-1',
        transactionCode: (boleto.json.transaction as { code: string }).code,
        amountMinor: 10_000,
        payerName: 'Maria da Silva',
        payerDocument: '52998224725',
        dueDate: '2026-11-24',
      },
      { wallet: 'paypal', successUrl: REDIRECTS.success, failUrl: REDIRECTS.fail },
    ])
    expect(test.orders).toEqual([])
  })

  it.each(RAIL_NAMES)(
    'answers 503 when no provider opens a charge for %s, and frees the reference',
    async (rail) => {
      let isUp = false
      const orFail = async <T>(answer: Promise<T>): Promise<T> => {
        if (!isUp) throw new Error('the bank is closed')
        return await answer
      }
      await withRails({
        registerBoleto: (order, dueDate) => orFail(TEST_RAILS.registerBoleto(order, dueDate)),
        openPixCharge: (order) => orFail(TEST_RAILS.openPixCharge(order)),
        openWallet: (order) => orFail(TEST_RAILS.openWallet(order)),
      })
      expect(await create(rail)).toMatchObject({
        status: 503,
        json: { errors: [{ code: 90006, description: 'service_unavailable' }] },
      })
      expect(test.logged.join()).toContain('a payment rail did not open a charge')
      const kept = await test.database.reader.selectFrom('transactions').selectAll().execute()
      expect(kept).toEqual([])
      isUp = true
      expect((await create(rail)).status).toBe(201)
    },
  )

  it('answers 503 to a bank whose answer makes no boleto', async () => {
    await withRails({
      registerBoleto: () => Promise.resolve({ bank: '33', freeField: '1' }),
      openPixCharge: () =>
        Promise.resolve({ location: 'x'.repeat(78), receiverName: 'L', receiverCity: 'S' }),
    })
    expect(await create('boleto')).toMatchObject({ status: 503, codes: [90006] })
    expect(await create('pix')).toMatchObject({ status: 503, codes: [90006] })
  })

  it('takes a reference once, whatever the method', async () => {
    expect((await create('boleto')).status).toBe(201)
    expect(await create('pix')).toMatchObject({ status: 409, codes: [210104] })
  })
})

describe('a wrong payment without a card', () => {
  let test: TestGateway
  beforeAll(async () => {
    test = await openTestGateway(TEST_SQLITE)
  })
  afterAll(() => test.close())

  it.each<[string, Record<string, unknown>, number[]]>([
    ['no redirect URLs', { 'redirect-urls': undefined }, [210115]],
    ['redirect URLs that are none', { 'redirect-urls': 'https://shop.example' }, [210116]],
    ['empty redirect URLs', { 'redirect-urls': {} }, [210119, 210121]],
    ['a success URL alone', { 'redirect-urls': { success: REDIRECTS.success } }, [210121]],
    [
      'redirect URLs of other kinds',
      { 'redirect-urls': { success: 'ftp://shop.example', fail: 'javascript:alert(1)' } },
      [210120, 210122],
    ],
    [
      'a success URL of 201 characters',
      { 'redirect-urls': { ...REDIRECTS, success: `https://shop.example/${'x'.repeat(180)}` } },
      [210120],
    ],
  ])('refuses a wallet payment with %s', async (_, over, codes) => {
    const body = railRequest('order-1', 'paypal')
    const transaction = { ...body.transaction, ...over }
    expect(
      await test.send('POST', '/transactions', { body: { ...body, transaction } }),
    ).toMatchObject({ status: 400, codes })
  })

  it.each<[RailName, string, string | undefined, number]>([
    ['boleto', 'no sub-type', undefined, 210209],
    ['boleto', 'the sub-type of another method', 'pix', 210210],
    ['pix', 'a sub-type in upper case', 'PIX', 210210],
    ['paypal', 'a wallet nobody knows', 'applepay', 210210],
  ])('refuses %s with %s', async (rail, _, subType, code) => {
    const body = railRequest('order-1', rail)
    const charge = [
      { amount: 100, 'payment-method': { type: RAILS[rail].type, 'sub-type': subType } },
    ]
    expect(await test.send('POST', '/transactions', { body: { ...body, charge } })).toMatchObject({
      status: 400,
      codes: [code],
    })
  })

  it.each(RAIL_NAMES)(
    'wants the payer’s IP address for %s, and a name of 50 letters',
    async (rail) => {
      const body = railRequest('order-1', rail)
      const payer = { ...body.payer, ip: undefined, name: `Maria ${'a'.repeat(45)}` }
      expect(await test.send('POST', '/transactions', { body: { ...body, payer } })).toMatchObject({
        status: 400,
        codes: [210304, 210309],
      })
    },
  )
})

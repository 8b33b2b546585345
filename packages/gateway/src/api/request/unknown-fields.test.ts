import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import type { Merchant } from '../../model/merchant/merchant.js'
import { servesRooms } from '../../rooms.fixture.js'
import { linkRequest } from '../../../../links/src/payment-link.fixture.js'

const [sqlite] = TEST_ENGINES
const HEADER = 'cofre-unknown-fields'
const STRICT: Merchant = { ...MERCHANT, id: 'store-2', unknownFields: 'refuse' }
const LENIENT: Merchant = { ...STRICT, id: 'store-3', rules: 'lenient' }

describe('a field of a body that nothing reads', () => {
  let test: TestGateway
  let production: TestGateway
  let orders = 0
  beforeAll(async () => {
    test = await openTestGateway(sqlite!, { environment: 'sandbox', ...servesRooms })
    production = await openTestGateway(sqlite!, servesRooms)
    for (const store of [STRICT, LENIENT]) await test.gateway.saveMerchant(store)
  })
  afterAll(async () => {
    await test.close()
    await production.close()
  })

  const order = () => {
    const { transaction, charge, ...rest } = railRequest(`order-${++orders}`, 'pix')
    return {
      ...rest,
      transaction: { ...transaction, foo: 1 },
      charge: charge.map((one) => ({ ...one, description: 'x' })),
    }
  }

  it('is reported by its path in the sandbox, and does not change the response', async () => {
    const { status, headers } = await test.send('POST', '/transactions', { body: order() })
    expect(status).toBe(201)
    expect(headers.get(HEADER)).toBe('transaction.foo, charge[0].description')
    const none = railRequest(`order-${++orders}`, 'pix')
    const { headers: without } = await test.send('POST', '/transactions', { body: none })
    expect(without.has(HEADER)).toBe(false)
  })

  it('is reported for a refused body, and for one that is sent again', async () => {
    const refused = { ...cardRequest('order-x'), payer: { nmae: 'Maria da Silva' } }
    const { status, headers } = await test.send('POST', '/transactions', { body: refused })
    expect([status, headers.get(HEADER)]).toEqual([400, 'payer.nmae'])
    const sent = { body: order(), headers: { 'idempotency-key': 'order-once' } }
    await test.send('POST', '/transactions', sent)
    const again = await test.send('POST', '/transactions', sent)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get(HEADER)).toBe('transaction.foo, charge[0].description')
  })

  it.each([
    [
      '/refunds',
      { 'transaction-id': 1, 'notify-url': 'https://shop.example/n', ammount: 1 },
      'ammount',
    ],
    ['/payment-links', linkRequest('link-1', { 'expires-on': 'x' }), 'expires-on'],
    ['/interest/changes', { 'monthly-rate-percent': 1, brands: ['visa'] }, 'brands'],
  ])('is said of %s', async (target, body, field) => {
    const { headers } = await test.send('POST', target, { body })
    expect(headers.get(HEADER)).toBe(field)
  })

  it('is neither reported nor refused in production', async () => {
    await production.gateway.saveMerchant(MERCHANT)
    const { status, headers } = await production.send('POST', '/transactions', { body: order() })
    expect([status, headers.has(HEADER)]).toEqual([201, false])
  })

  it('is refused with all other failures where its store wants it, and charges nothing', async () => {
    const { payer, ...rest } = order()
    const body = { ...rest, payer: { ...payer, email: 'x' } }
    const answer = await test.send('POST', '/transactions', { body, merchant: STRICT })
    expect(answer).toMatchObject({ status: 400, codes: [210306, 90020, 90020] })
    expect(answer.json).toMatchObject({
      errors: [{}, { property: 'transaction.foo' }, { property: 'charge[0].description' }],
    })
    const alone = await test.send('POST', '/transactions', { body: order(), merchant: STRICT })
    expect(alone).toMatchObject({ status: 400, codes: [90020, 90020] })
    expect(alone.text).toContain('transaction.foo')
    expect(alone.headers.get(HEADER)).toBe('transaction.foo, charge[0].description')
  })

  it('is never refused under lenient rules', async () => {
    const sent = { body: order(), merchant: LENIENT }
    const { status, headers } = await test.send('POST', '/transactions', sent)
    expect([status, headers.has(HEADER)]).toEqual([201, true])
  })
})

describe('a body that is wrong at a place', () => {
  let test: TestGateway
  beforeAll(async () => {
    test = await openTestGateway(sqlite!, servesRooms)
  })
  afterAll(() => test.close())

  it.each([
    ['/transactions', 210005],
    ['/refunds', 20698],
    ['/payment-links', 90501],
    ['/interest/changes', 90511],
  ])('is refused at %s with line and column, and without what stands there', async (at, code) => {
    const headers = { 'accept-language': 'en' }
    const body = '{\n  "number": 4111111111111111,\n  cvv: 737\n}'
    const answer = await test.send('POST', at, { body, headers })
    expect(answer).toMatchObject({ status: 400, codes: [code] })
    expect(answer.text).toContain('line 3, column 3')
    expect(answer.text).not.toMatch(/4111|737|cvv/)
  })

  it.each([
    ['pix', 'PIX is `eft` with `sub-type` `pix`.'],
    ['PIX', 'PIX is `eft` with `sub-type` `pix`.'],
    ['boleto', 'A boleto is `postpay`'],
    ['card', 'A card is `credit-card`'],
    ['paypal', 'A wallet is `e-wallet`'],
    ['crypto', '`credit-card`, `postpay`'],
  ])('is told what a payment method of type %s is here', async (type, advice) => {
    const { charge, ...rest } = railRequest('order-type', 'pix')
    const method = { 'payment-method': { type, 'sub-type': 'pix' } }
    const body = { ...rest, charge: charge.map((one) => ({ ...one, ...method })) }
    const headers = { 'accept-language': 'en' }
    const answer = await test.send('POST', '/transactions', { body, headers })
    expect(answer.status).toBe(400)
    const [error] = answer.json.errors as { message: string; allowed: string[] }[]
    expect(error?.message).toContain(advice)
    expect(error?.allowed).toContain('eft')
  })
})

import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'

const PAN = '5555444433331111'
const OTHER_PAN = '4111111111111111'
const ADDRESS = {
  street: `Rua ${PAN}`,
  number: PAN,
  complement: `apto ${PAN}`,
  district: `${PAN} centro`,
  state: 'SP',
  city: `São Paulo ${PAN}`,
  country: 'BR',
  'zip-code': '01304001',
}

describe('card numbers in free text', () => {
  let test: TestGateway
  beforeEach(async () => {
    test = await openTestGateway(TEST_SQLITE)
  })
  afterEach(() => test.close())

  const withTexts = <Request extends { payer: object }>(request: Request) => ({
    ...request,
    payer: { ...request.payer, address: ADDRESS },
    shipping: { cost: 0, address: ADDRESS },
    cart: [
      {
        quantity: 2,
        description: 'Cartão 5555 4444 3333 1111',
        'unit-price': 50,
        type: 'physical',
        category: `c${PAN}`,
      },
    ],
  })

  /** All stored rows of these tables. */
  async function stored(): Promise<string> {
    const tables = ['transactions', 'notifications', 'refunds', 'idempotency_keys'] as const
    const rows = await Promise.all(
      tables.map((table) => test.database.reader.selectFrom(table).selectAll().execute()),
    )
    return JSON.stringify(rows)
  }

  function expectNoCard(text: string): void {
    expect(text).not.toMatch(/5555.?4444|4444.?3333|3333.?1111/)
  }

  it('are neither stored, answered, logged nor found', async () => {
    const rail = withTexts(railRequest('order-1', 'pix'))
    const headers = { 'idempotency-key': 'key-1' }
    const answers = [
      await test.send('POST', '/transactions', { body: rail, headers }),
      await test.send('POST', '/transactions', { body: withTexts(cardRequest('order-2')) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const { code } = answers[0]!.json.transaction as { code: string }
    const found = await test.send('GET', `/transactions/${code}`)
    expect(found.text).toContain('Cartão ************')
    for (const { text } of [...answers, found]) expectNoCard(text)
    expectNoCard(await stored())
    expectNoCard(test.logged.join(' ') + JSON.stringify(test.orders))
  })

  it('are not kept while the vault’s answer is unknown', async () => {
    test.answerCards(() => Promise.reject(new Error('no answer')))
    await test.send('POST', '/transactions', { body: withTexts(cardRequest('order-1')) })
    expect(await stored()).toContain('order-1')
    expectNoCard(await stored())
  })

  it('leave the raw card of a request to the vault', async () => {
    const merchant = { ...MERCHANT, mayUseRawCards: true }
    await test.gateway.saveMerchant(merchant)
    const card = { number: PAN, cvv: '737', 'expiration-date': '2030-12' }
    const info = { token: undefined, 'credit-card': card }
    const request = withTexts(cardRequest('order-1', info))
    const charge = [{ ...request.charge[0], currency: 'BRL' }]
    const payer = { ...request.payer, ip: '203.0.113.7' }
    const body = { ...request, charge, payer }
    expect((await test.send('POST', '/transactions', { body, merchant })).status).toBe(201)
    const [order] = test.orders
    expect(order?.source.kind === 'raw' && order.source.card.reveal().number).toBe(PAN)
    expectNoCard(await stored())
  })

  it('leave the value of an authentication to the vault, as its order alone', async () => {
    const cavv = 'AAABBWcSNIdjeUZThmNHAAAAAAA='
    const result = { version: '2.2.0', eci: '05', cavv }
    const pay = (over: object, headers = {}) =>
      test.send('POST', '/transactions', {
        body: cardRequest('order-1', { 'three-d-secure': { ...result, ...over } }),
        headers,
      })
    expect(await pay({ cavv: `${cavv}x` })).toMatchObject({
      status: 400,
      json: {
        errors: [
          {
            code: 90401,
            description: 'charge_0_payment_info_three_d_secure_invalid',
            property: 'charge[0].payment-info.three-d-secure.cavv',
          },
        ],
      },
    })
    const headers = { 'idempotency-key': 'key-1' }
    const first = await pay({}, headers)
    expect(first.status).toBe(201)
    // Its fingerprint does not cover the value.
    const again = await pay({ cavv: `${'b'.repeat(27)}=` }, headers)
    expect(again.text).toBe(first.text)
    const [order] = test.orders
    expect(order?.threeDSecure?.cavv.reveal()).toBe(cavv)
    expect(order?.threeDSecure).toMatchObject({ version: '2.2.0', eci: '05' })
    const everything = (await stored()) + test.logged.join(' ') + JSON.stringify(test.orders)
    expect(everything).not.toContain(cavv.slice(0, 12))
    expect(everything).not.toContain('three-d-secure')
  })

  const SECURITY_CODE = '736'
  const SAVED = { token: undefined, code: 'a'.repeat(32) }
  const SEALED = `eyJhbGciOiJFQ0RILUVTIn0..${'i'.repeat(16)}.${'c'.repeat(256)}.${'t'.repeat(22)}`

  it('leave the token of a security code to the vault, as its order alone', async () => {
    const body = cardRequest('order-1', { ...SAVED, 'security-code-token': SEALED })
    const headers = { 'idempotency-key': 'key-1' }
    const first = await test.send('POST', '/transactions', { body, headers })
    expect(first.status).toBe(201)
    expect((await test.send('POST', '/transactions', { body, headers })).text).toBe(first.text)
    expect(test.orders.map(({ source }) => source)).toEqual([
      { kind: 'code', code: SAVED.code, securityCodeToken: SEALED },
    ])
    expect(await stored()).not.toContain(SEALED.slice(30, 60))
  })

  it.each<[string, Record<string, unknown>, number, string]>([
    ['security-code', { ...SAVED, 'security-code': SECURITY_CODE }, 210212, ''],
    ['cvv beside a token', { cvv: SECURITY_CODE }, 210212, ''],
    ['cvv as a number', { ...SAVED, cvv: Number(SECURITY_CODE) }, 210212, ''],
    ['its token, misspelt', { ...SAVED, securityCodeToken: SECURITY_CODE }, 210212, ''],
    ['a longer name', { ...SAVED, card_cvv: SECURITY_CODE }, 210212, ''],
    ['cvc in a list', { ...SAVED, cvc: [SECURITY_CODE] }, 210212, ''],
    [
      'its token',
      { ...SAVED, 'security-code-token': SECURITY_CODE },
      90402,
      '.security-code-token',
    ],
    [
      'its token, as a number',
      { ...SAVED, 'security-code-token': Number(SECURITY_CODE) },
      90402,
      '.security-code-token',
    ],
    ['code', { ...SAVED, code: SECURITY_CODE }, 210220, '.code'],
  ])('nor a security code sent as %s, which is refused', async (_, info, code, at) => {
    const headers = { 'idempotency-key': 'key-1' }
    const body = cardRequest('order-1', info)
    const answer = await test.send('POST', '/transactions', { body, headers })
    expect(answer).toMatchObject({
      status: 400,
      json: { errors: [{ code, property: `charge[0].payment-info${at}` }] },
    })
    expect(test.orders).toEqual([])
    const everything = answer.text + (await stored()) + test.logged.join(' ')
    expect(everything).not.toMatch(/(?<![\w-])736(?![\w-])/)
  })

  it.each([
    ['a token', { 'security-code-token': SEALED }, [[90402, '.security-code-token']]],
    ['both', { ...SAVED, token: 't', 'security-code-token': SEALED }, [[210005, '']]],
  ])('need no token of a security code beside %s', async (_, info, errors) => {
    const answer = await test.send('POST', '/transactions', { body: cardRequest('order-1', info) })
    expect(answer.json.errors).toMatchObject(
      errors.map(([code, at]) => ({ code, property: `charge[0].payment-info${at}` })),
    )
  })

  it('say why the vault refuses the token of a security code', async () => {
    test.answerCards(() =>
      Promise.resolve({ kind: 'refused', reason: 'security_code_token_invalid' }),
    )
    const body = cardRequest('order-1', { ...SAVED, 'security-code-token': SEALED })
    const headers = { 'accept-language': 'pt-BR' }
    const { status, json } = await test.send('POST', '/transactions', { body, headers })
    expect([status, json.errors]).toMatchObject([
      400,
      [
        {
          code: 90402,
          description: 'charge_0_payment_info_security_code_token_invalid',
          property: 'charge[0].payment-info.security-code-token',
        },
      ],
    ])
  })

  it('leave no digest of themselves beside an Idempotency-Key', async () => {
    const { cart, ...rest } = railRequest('order-1', 'pix')
    const pay = (description: string) =>
      test.send('POST', '/transactions', {
        body: { ...rest, cart: [{ ...cart[0], description }] },
        headers: { 'idempotency-key': 'key-1' },
      })
    const first = await pay(`card ${PAN}`)
    expect(await pay(`card ${OTHER_PAN}`)).toMatchObject({ status: 201, text: first.text })
    expect(await pay('card')).toMatchObject({ codes: [90012] })
  })

  it('are refused in the address of a refund’s notifications', async () => {
    const body = { 'transaction-id': 1, 'notify-url': `https://shop.example/${PAN}` }
    expect((await test.send('POST', '/refunds', { body })).codes).toEqual([20698])
    expectNoCard(await stored())
  })
})

import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'

// Orders as shops send them, with the fields that the specification's rules refuse.

type Json = Record<string, unknown>

const LENIENT = { ...MERCHANT, rules: 'lenient' } as const

const ADDRESS = {
  street: 'Rua Augusta',
  number: '1500',
  complement: 'ap 12',
  district: 'Consolação',
  state: 'SP',
  city: 'São Paulo',
  country: 'BR',
  'zip-code': '01304001',
}
const BOOK = { quantity: 1, description: 'Livro', 'unit-price': 100, type: 'physical' }

/** An order of a parcel, paid by card. */
function parcel(address: Json = {}, shipping: Json = {}): Json {
  const { payer, ...order } = cardRequest('order')
  return {
    ...order,
    cart: [BOOK],
    payer: { ...payer, address: ADDRESS },
    shipping: { cost: 0, address: { ...ADDRESS, ...address }, ...shipping },
  }
}

const byCard = (payer: Json): Json => {
  const order = cardRequest('order')
  return { ...order, payer: { ...order.payer, ...payer } }
}
const byBoleto = (payer: Json): Json => {
  const order = railRequest('order', 'boleto')
  return { ...order, payer: { ...order.payer, ...payer } }
}
const withCart = (...cart: Json[]): Json => ({ ...cardRequest('order'), cart })
const cnpj = (number: string): Json => ({ document: { type: 'CNPJ', number } })

interface Order {
  readonly order: string
  readonly body: Json
  /** The answer under the specification's rules. */
  readonly codes: readonly number[]
  /** The order as lenient rules store it. */
  readonly kept?: Json
}

const BOLETO_NAME = 'Comercial de Alimentos e Bebidas Irmãos Albuquerque Ltda'
const LONG_NAME = `Maria ${'da Silva '.repeat(30)}`.slice(0, 254)

const ORDERS: readonly Order[] = [
  {
    order: 'a coupon: less is charged than the cart is worth',
    body: withCart({ quantity: 1, description: 'Camisa', 'unit-price': 120, type: 'digital' }),
    codes: [210225],
  },
  {
    order: 'freight that was paid, but is in no field',
    body: withCart({ quantity: 1, description: 'Camisa', 'unit-price': 80, type: 'digital' }),
    codes: [210225],
  },
  {
    order: '3 for 100.00',
    body: withCart({ quantity: 3, description: 'Meia', 'unit-price': 33.33, type: 'digital' }),
    codes: [210225],
  },
  {
    order: 'a shipping cost that is empty',
    body: parcel({}, { cost: '' }),
    codes: [210403],
    kept: { shipping: { cost: 0 } },
  },
  {
    order: 'a shipping cost that is not there',
    body: parcel({}, { cost: undefined }),
    codes: [210403],
    kept: { shipping: { cost: 0 } },
  },
  {
    order: 'the complement "casa"',
    body: parcel({ complement: 'casa' }),
    codes: [210412],
    kept: { shipping: { address: { complement: 'casa' } } },
  },
  {
    order: 'the district "Sé"',
    body: parcel({ district: 'Sé' }),
    codes: [210414],
    kept: { shipping: { address: { district: 'Sé' } } },
  },
  {
    order: 'a ZIP code with a hyphen, and one with a dot and a space',
    body: {
      ...parcel({ 'zip-code': '01304-001' }),
      payer: { ...cardRequest('').payer, address: { ...ADDRESS, 'zip-code': '01.304 001' } },
    },
    codes: [210336, 210422],
    kept: {
      shipping: { address: { 'zip-code': '01304001' } },
      payer: { address: { 'zip-code': '01304001' } },
    },
  },
  {
    order: 'no birth date',
    body: byCard({ 'birth-date': '' }),
    codes: [210307],
  },
  {
    order: 'a CPF as people write it',
    body: byCard({ document: { type: 'cpf', number: '529.982.247-25' } }),
    codes: [210318],
    kept: { payer: { document: { type: 'CPF', number: '52998224725' } } },
  },
  {
    order: 'a phone as people write it',
    body: byCard({ 'phone-number': '+55 (41) 98888-7777' }),
    codes: [210312],
    kept: { payer: { 'phone-number': '+5541988887777' } },
  },
  {
    order: 'numbers as they are copied: with marks that are not seen, and dashes of other kinds',
    body: {
      ...parcel({ 'zip-code': '01304\u2011001' }),
      payer: {
        ...cardRequest('').payer,
        address: ADDRESS,
        'phone-number': '\u202a+55 (41) 98888\u20137777\u202c',
        document: { type: 'CPF', number: '529.982.247\u221225\u200b' },
      },
    },
    codes: [210312, 210318, 210422],
    kept: {
      shipping: { address: { 'zip-code': '01304001' } },
      payer: { 'phone-number': '+5541988887777', document: { number: '52998224725' } },
    },
  },
  {
    order: 'a name with marks that are not seen',
    body: byCard({ name: '\u200eMaria da\u200b Sil\u00adva' }),
    codes: [210304],
    kept: { payer: { name: 'Maria da Silva' } },
  },
  {
    order: 'an empty mask for a phone that is not needed',
    body: byBoleto({ 'phone-number': '( ) -' }),
    codes: [210312],
  },
  {
    order: 'more spaces than one in a name',
    body: byCard({ name: ' Maria  da Silva ' }),
    codes: [210304],
    kept: { payer: { name: 'Maria da Silva' } },
  },
  {
    order: 'a company with its CNPJ as people write it',
    body: byBoleto({ name: 'Padaria Central Ltda', ...cnpj('11.222.333/0001-81') }),
    codes: [210318],
    kept: { payer: { document: { number: '11222333000181' } } },
  },
  {
    order: 'a company of one word',
    body: byBoleto({ name: 'Petrobras', ...cnpj('11222333000181') }),
    codes: [210304],
    kept: { payer: { name: 'Petrobras' } },
  },
  {
    order: 'a company with digits in its name',
    body: byCard({ name: '3M do Brasil', ...cnpj('11222333000181') }),
    codes: [210304],
    kept: { payer: { name: '3M do Brasil' } },
  },
  {
    order: 'a name too long for a boleto, where the cut leaves a space at its end',
    body: byBoleto({ name: BOLETO_NAME.replace('Irmãos ', 'Irmã ') }),
    codes: [210304],
    kept: { payer: { name: 'Comercial de Alimentos e Bebidas Irmã Albuquerque' } },
  },
  {
    order: 'a name too long for a boleto',
    body: byBoleto({ name: BOLETO_NAME }),
    codes: [210304],
    kept: { payer: { name: BOLETO_NAME.slice(0, 50) } },
  },
  {
    order: 'a name too long for a card, where the cut falls into an emoji',
    body: byCard({ name: `${LONG_NAME}🙂` }),
    codes: [210304],
    kept: { payer: { name: LONG_NAME } },
  },
  {
    order: 'a name with two spaces, the apostrophe of a phone, and an accent that stands alone',
    body: byCard({ name: 'Joa\u0303o  D\u2019Avila' }),
    codes: [210304],
    kept: { payer: { name: 'João D’Avila' } },
  },
]

/** Refused under both, with the same code. */
const REFUSED: readonly (readonly [order: string, body: Json, code: number])[] = [
  ['a person of one word', byCard({ name: 'Maria' }), 210304],
  ['a person with digits in the name', byCard({ name: 'Maria 2 Silva' }), 210304],
  [
    'a card number in a company’s name',
    byCard({ name: 'Loja 4111111111111111', ...cnpj('11222333000181') }),
    210304,
  ],
  [
    'a card number where a company’s name is cut',
    byBoleto({ name: `${'A'.repeat(34)} 4111111111111111`, ...cnpj('11222333000181') }),
    210304,
  ],
  ['one endless word', byBoleto({ name: `${'a'.repeat(60)} Silva` }), 210304],
  ['a birth date of tomorrow', byCard({ 'birth-date': '2026-11-22' }), 210308],
  ['no phone by card', byCard({ 'phone-number': '' }), 210311],
  ['a wrong CPF', byCard({ document: { type: 'CPF', number: '529.982.247-26' } }), 210318],
  ['a ZIP code of seven digits', parcel({ 'zip-code': '0130-001' }), 210422],
  ['a negative shipping cost', parcel({}, { cost: -1 }), 210404],
  ['no shipping of a parcel', { ...parcel(), shipping: null }, 210401],
  [
    'half a piece',
    withCart({ quantity: '2.5', description: 'Queijo', 'unit-price': 40, type: 'digital' }),
    210508,
  ],
]

describe('orders as shops send them', () => {
  let test: TestGateway
  beforeEach(async () => {
    test = await openTestGateway(TEST_SQLITE)
  })
  afterEach(() => test.close())

  const create = (body: Json) => test.send('POST', '/transactions', { body })
  const kept = async (): Promise<unknown> => {
    const row = await test.database.reader
      .selectFrom('transactions')
      .select('request')
      .executeTakeFirstOrThrow()
    return JSON.parse(row.request)
  }

  it.each(ORDERS)('accepts under lenient rules alone: $order', async (order) => {
    expect((await create(order.body)).codes).toEqual(order.codes)
    await test.gateway.saveMerchant(LENIENT)
    const { status, codes } = await create(order.body)
    expect([codes, status]).toEqual([[], 201])
    expect(await kept()).toMatchObject(order.kept ?? {})
  })

  it.each(REFUSED)('refuses under both rules: %s', async (_, body, code) => {
    expect((await create(body)).codes).toEqual([code])
    await test.gateway.saveMerchant(LENIENT)
    expect((await create(body)).codes).toEqual([code])
  })

  it.each(['specification', 'lenient'] as const)(
    'takes quantities with zeros for decimals under the rules %s',
    async (rules) => {
      await test.gateway.saveMerchant({ ...MERCHANT, rules })
      const line = { description: 'Café', 'unit-price': 50, type: 'digital' }
      expect((await create(withCart({ ...line, quantity: '2.0000' }))).status).toBe(201)
      expect(await kept()).toMatchObject({ cart: [{ quantity: 2 }] })
    },
  )

  it('charges the amount of a coupon’s order, not its cart', async () => {
    await test.gateway.saveMerchant(LENIENT)
    const line = { quantity: 1, description: 'Camisa', 'unit-price': 120, type: 'digital' }
    await create(withCart(line))
    expect(test.orders.map(({ amountMinor }) => amountMinor)).toEqual([10_000])
  })

  it('knows a blocked payer however the document is written', async () => {
    await test.gateway.saveMerchant(LENIENT)
    await test.database.transact((trx) =>
      trx.insertInto('blocked_payers').values({ payer: '52998224725', by_provider: 0 }).execute(),
    )
    const document = { type: 'CPF', number: '529.982.247-25' }
    expect((await create(byCard({ document }))).codes).toEqual([210603])
  })

  it('refuses a card number as a reference where the store wants none', async () => {
    const order = cardRequest('4111-1111-1111-1111')
    const refund = (code: string) =>
      test.send('POST', '/refunds', {
        body: {
          'transaction-id': code,
          'notify-url': 'https://shop.example/refunds',
          reference: '4111111111111111',
        },
      })
    await test.gateway.saveMerchant({ ...MERCHANT, refusesCardReferences: true })
    expect((await create(order)).json.errors).toMatchObject([
      { code: 210104, property: 'transaction.reference' },
    ])
    const { transaction } = (await create(cardRequest('order-1'))).json
    const { code } = transaction as { code: string }
    expect((await refund(code)).json.errors).toMatchObject([{ code: 20698, property: 'reference' }])
    await test.gateway.saveMerchant(MERCHANT)
    expect((await create(order)).status).toBe(201)
    expect((await refund(code)).status).toBe(201)
  })
})

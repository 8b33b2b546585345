import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CARD_BRANDS, isAccepted } from '../card/brand.js'
import type { Failure } from '../errors/api-error.js'
import { formatAmount, minorUnits } from '../value/money.js'
import { AMOUNT_MIN } from './limits.js'
import { dropAbsent, valueAt } from '../validation/field-table.js'
import { requestFacts, transactionRequestTable } from './request.js'
import { crossFieldFailures } from './request-sums.js'
import type { RequestPolicy } from './rule-set.js'

// Rules between the fields of a request; request.test.ts has the single fields.

type Json = Record<string, unknown>

const policy: RequestPolicy = {
  today: '2026-11-21',
  wallets: ['pagseguro', 'paypal'],
  // Like the gateway's check, which throws for a text that is not a URL.
  acceptsNotificationUrl: (url) => ['', '80', '443'].includes(new URL(url).port),
}

const ADDRESS = {
  street: 'Rua Augusta',
  number: '1500',
  district: 'Consolação',
  state: 'SP',
  city: 'São Paulo',
  country: 'BR',
  'zip-code': '01304001',
}
const CPF = { type: 'CPF', number: '52998224725' }
const CNPJ = { type: 'CNPJ', number: '11222333000181' }
const BIRTH = { 'birth-date': '1990-02-28' }
const PHONE = { 'phone-number': '+5511987654321' }
const IP = { ip: '187.10.20.30' }
const CODE = '0123456789abcdefABCDEF0123456789'
const CARD = { number: '4111111111111111', cvv: '737', 'expiration-date': '2030-03' }

const card = (source: Json): Json => ({
  'payment-method': { type: 'credit-card' },
  'payment-info': { installments: 1, ...source },
})
const other = (type: string, subType: string): Json => ({
  'payment-method': { type, 'sub-type': subType },
})

/**
 * Additions of each method's smallest body to the fields of every body (specification, section
 * 2.2).
 */
const METHODS = {
  token: { charge: card({ token: 'eyJ.a.b.c.d' }), payer: { ...BIRTH, ...PHONE } },
  code: { charge: card({ code: CODE }), payer: { ...BIRTH, ...PHONE } },
  raw: {
    charge: { currency: 'BRL', ...card({ 'credit-card': CARD }) },
    payer: { ...BIRTH, ...IP },
  },
  boleto: { charge: other('postpay', 'boleto'), payer: IP },
  wallet: {
    charge: other('e-wallet', 'pagseguro'),
    payer: IP,
    transaction: {
      'redirect-urls': { success: 'https://loja.example/ok', fail: 'https://loja.example/nok' },
    },
  },
  pix: { charge: other('eft', 'pix'), payer: IP },
} as const satisfies Record<string, { charge: Json; payer: Json; transaction?: Json }>
type Method = keyof typeof METHODS
const METHOD_NAMES = Object.keys(METHODS) as Method[]
const WITHOUT_CARD = ['boleto', 'wallet', 'pix'] as const

function bodyOf(name: Method): Json {
  const parts: { charge: Json; payer: Json; transaction?: Json } = METHODS[name]
  const body = {
    transaction: {
      reference: 'pedido-1',
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': 'https://loja.example/aviso',
      language: 'pt-BR',
      ...parts.transaction,
    },
    charge: [{ amount: 100, ...parts.charge }],
    payer: { name: 'Maria de Souza', email: 'maria@loja.example', document: CPF, ...parts.payer },
    cart: [{ quantity: 1, description: 'Curso', 'unit-price': 100, type: 'digital' }],
  }
  return JSON.parse(JSON.stringify(body)) as Json
}

/** The body of a method with values set at paths; undefined removes the value. */
function change(name: Method, values: Json): Json {
  const body = bodyOf(name)
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
    const last = keys.pop() ?? ''
    const parent = keys.reduce((node, key) => node[key] as Json, body)
    if (value === undefined) Reflect.deleteProperty(parent, last)
    else parent[last] = value
  }
  return body
}

function judge(body: unknown) {
  const request = dropAbsent(body)
  return transactionRequestTable.validate(request, requestFacts(request, policy))
}

const BRANDS = CARD_BRANDS.filter(isAccepted).map(({ name }) => name)

/** The failure of one field, whatever else is wrong. */
function failureAt(path: string, value: unknown): Failure | undefined {
  const judged = judge(change('token', { shipping: {}, [path]: value }))
  return judged.ok ? undefined : judged.failures.find(({ property }) => property === path)
}

/** The gateway's failures: names and properties. */
function failuresOf(body: unknown): string[] {
  const judged = judge(body)
  const failures = judged.ok ? crossFieldFailures(judged.value) : judged.failures
  return failures.map(({ name, property }) => `${name} ${property ?? ''}`)
}

describe('the smallest request of each method', () => {
  it.each(METHOD_NAMES)('pays by %s', (name) => {
    expect(failuresOf(bodyOf(name))).toEqual([])
  })

  it.each<[path: string, error: string, methods: readonly Method[]]>([
    ['transaction.redirect-urls', 'transaction_redirect_urls_missing', ['wallet']],
    ['charge[0].currency', 'charge_invalid', ['raw']],
    ['charge[0].payment-method.sub-type', 'charge_#_payment_method_sub_type_missing', WITHOUT_CARD],
    ['charge[0].payment-info', 'charge_#_payment_info_missing', ['token', 'code']],
    [
      'charge[0].payment-info.installments',
      'charge_#_payment_info_installments_missing',
      ['token', 'code', 'raw'],
    ],
    ['charge[0].payment-info.token', 'charge_#_payment_info_token_missing', ['token']],
    ['payer.birth-date', 'payer_birth_date_missing', ['token', 'code', 'raw']],
    ['payer.phone-number', 'payer_phone_number_missing', ['token', 'code']],
    ['payer.ip', 'payer_ip_missing', ['raw', ...WITHOUT_CARD]],
  ])('needs %s, else %s, for %j', (path, error, methods) => {
    for (const name of methods)
      expect([name, failuresOf(change(name, { [path]: undefined }))]).toEqual([
        name,
        [`${error} ${path}`],
      ])
  })

  it.each(METHOD_NAMES)('takes the result of a 3-D Secure server from cards alone: %s', (name) => {
    const path = 'charge[0].payment-info'
    const info = {
      installments: 1,
      ...(valueAt(bodyOf(name), ['charge', 0, 'payment-info']) ?? {}),
    }
    const result = { version: '2.2.0', eci: '05', cavv: `${'a'.repeat(27)}=` }
    const failures = failuresOf(change(name, { [path]: { ...info, 'three-d-secure': result } }))
    const error = `charge_#_payment_info_three_d_secure_invalid ${path}.three-d-secure`
    expect(failures).toEqual(WITHOUT_CARD.some((other) => other === name) ? [error] : [])
  })

  it('says why a security code is refused', () => {
    const path = 'charge[0].payment-info.'
    const causesOf = (name: Method, field: string, value: unknown) => {
      const judged = judge(change(name, { [path + field]: value }))
      return judged.ok ? [] : judged.failures.map(({ name: error, cause }) => [error, cause])
    }
    const ofToken = 'charge_#_payment_info_security_code_token_invalid'
    const token = `eyJ..${'i'.repeat(16)}.c.${'t'.repeat(22)}`
    expect(causesOf('code', 'security-code-token', token)).toEqual([])
    expect(causesOf('token', 'security-code-token', token)).toEqual([[ofToken, 'without-code']])
    expect(causesOf('code', 'security-code-token', 7373)).toEqual([[ofToken, 'security-code']])
    for (const field of ['cvv', 'security-code', 'CVC'])
      expect(causesOf('code', field, '737')).toEqual([
        ['charge_#_payment_info_invalid', 'security-code'],
      ])
  })

  it('asks for a token when a card payment names no card', () => {
    const missing = 'charge_#_payment_info_token_missing charge[0].payment-info.token'
    expect(failuresOf(change('code', { 'charge[0].payment-info.code': undefined }))).toEqual([
      missing,
    ])
    expect(failuresOf(change('raw', { 'charge[0].payment-info.credit-card': undefined }))).toEqual([
      missing,
      'payer_phone_number_missing payer.phone-number',
    ])
  })

  it.each(['token', 'code', 'raw'] as const)('needs no birth date of a company: %s', (name) => {
    const company = { 'payer.document': CNPJ, 'payer.birth-date': undefined }
    expect(failuresOf(change(name, company))).toEqual([])
  })

  it('asks nothing of an unknown method but the method', () => {
    const body = change('boleto', {
      'charge[0].payment-method': { type: 'cash' },
      'charge[0].amount': 0.01,
      'payer.ip': undefined,
    })
    expect(failuresOf(body)).toEqual([
      'charge_#_payment_method_type_invalid charge[0].payment-method.type',
    ])
  })
})

describe('the bounds of each method', () => {
  const NAME_50 = `${'a'.repeat(24)} ${'b'.repeat(25)}`
  const NAME_255 = `Maria${` ${'a'.repeat(49)}`.repeat(5)}`
  const INVALID_NAME = 'payer_name_invalid payer.name'

  it.each(['token', 'code', 'raw'] as const)('takes a name of 255 by %s', (name) => {
    expect(failuresOf(change(name, { 'payer.name': NAME_255 }))).toEqual([])
    expect(failuresOf(change(name, { 'payer.name': `${NAME_255}a` }))).toEqual([INVALID_NAME])
  })

  it.each(WITHOUT_CARD)('takes a name of 50 by %s', (name) => {
    expect(failuresOf(change(name, { 'payer.name': NAME_50 }))).toEqual([])
    expect(failuresOf(change(name, { 'payer.name': `${NAME_50}b` }))).toEqual([INVALID_NAME])
  })

  it.each<[Method, number]>([
    ['token', 20],
    ['code', 20],
    ['raw', 20],
    ['boleto', 1],
    ['wallet', 1],
    ['pix', 100],
  ])('takes an amount by %s from %s centavos', (name, cents) => {
    const amounts = (amount: string): Json =>
      change(name, { 'charge[0].amount': amount, 'cart[0].unit-price': 1 })
    const invalid = 'charge_#_amount_invalid charge[0].amount'
    const text = formatAmount(minorUnits(cents))
    expect(failuresOf(amounts(text))).not.toContain(invalid)
    expect(failuresOf(amounts(formatAmount(minorUnits(cents - 1))))).toEqual([invalid])
  })

  it('has the amounts of the spec', () => {
    expect(AMOUNT_MIN).toEqual({ 'credit-card': 20, postpay: 1, 'e-wallet': 1, eft: 100 })
  })

  it.each<[Method, readonly string[]]>([
    ['token', ['visa', 'mastercard', 'amex', 'elo', 'hipercard', 'diners']],
    ['boleto', ['boleto']],
    ['wallet', ['pagseguro', 'paypal']],
    ['pix', ['pix']],
  ])('takes for %s the sub-types %j alone', (name, own) => {
    const all = ['visa', 'mastercard', 'amex', 'elo', 'hipercard', 'diners', 'boleto', 'pix']
    const others = ['pagseguro', 'paypal', 'picpay', 'discover', 'aura', 'jcb', 'toString']
    const path = 'charge[0].payment-method.sub-type'
    const taken = [...all, ...others].filter(
      (subType) => failuresOf(change(name, { [path]: subType })).length === 0,
    )
    expect(taken).toEqual(own)
    expect(failuresOf(change(name, { [path]: 'picpay' }))).toEqual([
      `charge_#_payment_method_sub_type_invalid ${path}`,
    ])
  })

  it.each([
    ['CPF', '52998224725', true],
    ['CPF', '11222333000181', false],
    ['CNPJ', '11222333000181', true],
    ['CNPJ', '12ABC34501DE35', true],
    ['cnpj', '12ABC34501DE35', true],
    ['CNPJ', '12ABC34501DE36', false],
    ['CNPJ', '123450135', false],
    ['CNPJ', '52998224725', false],
  ])('judges a document by its type: %s %s', (type, number, valid) => {
    const failures = failuresOf(change('pix', { 'payer.document': { type, number } }))
    expect(failures).toEqual(valid ? [] : ['payer_document_number_invalid payer.document.number'])
  })
})

describe('a physical item', () => {
  const MISSING = ['payer_address_missing payer.address', 'shipping_missing shipping']
  const item = (type: string): Json => ({
    quantity: 1,
    description: 'Livro',
    'unit-price': 100,
    type,
  })

  it.each(METHOD_NAMES)('needs both addresses by %s', (name) => {
    expect(failuresOf(change(name, { 'cart[0].type': 'physical' }))).toEqual(MISSING)
    const sent = {
      'cart[0].type': 'physical',
      'payer.address': ADDRESS,
      shipping: { cost: 0, address: ADDRESS },
    }
    expect(failuresOf(change(name, sent))).toEqual([])
  })

  it('needs them wherever it is in the cart', () => {
    const cart = [item('digital'), item('service'), item('physical')]
    expect(failuresOf(change('pix', { cart, 'charge[0].amount': 300 }))).toEqual(MISSING)
  })

  it.each(['digital', 'service', 'subscription'])('is not an item of type %s', (type) => {
    expect(failuresOf(change('pix', { cart: [item(type)] }))).toEqual([])
  })

  it('leaves an address that no item needs to be judged all the same', () => {
    const body = change('pix', {
      'payer.address': { ...ADDRESS, state: 'São Paulo' },
      shipping: { cost: 0 },
    })
    expect(failuresOf(body)).toEqual([
      'payer_address_state_invalid payer.address.state',
      'shipping_address_missing shipping.address',
    ])
  })
})

describe('what shops send otherwise', () => {
  it.each([null, ''])('counts an optional field that is %j as absent', (absent) => {
    const body = change('token', {
      'transaction.project-number': absent,
      'transaction.gifting': absent,
      'transaction.redirect-urls': absent,
      'charge[0].currency': absent,
      'charge[0].payment-method.sub-type': absent,
      'charge[0].payment-info.code': absent,
      'charge[0].payment-info.save': absent,
      'charge[0].payment-info.credit-card': absent,
      'payer.ip': absent,
      'payer.address': absent,
      'cart[0].category': absent,
      shipping: absent,
    })
    expect(judge(body)).toEqual(judge(bodyOf('token')))
  })

  it('reads amounts, prices and quantities from numeric strings', () => {
    const body = change('token', {
      'charge[0].amount': '210.50',
      'charge[0].payment-info.installments': '3',
      'cart[0].quantity': '2',
      'cart[0].unit-price': '100.00',
      shipping: { cost: '10.50', address: ADDRESS },
    })
    expect(failuresOf(body)).toEqual([])
    expect(judge(body)).toMatchObject({
      value: { charge: [{ 'payment-info': { installments: 3 } }], cart: [{ quantity: 2 }] },
    })
  })

  it.each(['cpf', 'CPF', 'Cpf'])('takes the document type %s, which asks a birth date', (type) => {
    const birth = (date: string | undefined): Json =>
      change('token', { 'payer.document.type': type, 'payer.birth-date': date })
    expect(failuresOf(birth('1990-02-28'))).toEqual([])
    expect(failuresOf(birth(undefined))).toEqual(['payer_birth_date_missing payer.birth-date'])
  })

  it.each<[string, unknown]>([
    ['transaction.project-number', '1'],
    ['charge[0].payment-info.save', 'true'],
    ['payer.document.number', 52998224725],
    ['payer.name', '  '],
  ])('is as strict as the spec elsewhere: %s %j', (path, value) => {
    expect(failuresOf(change('token', { [path]: value }))).toHaveLength(1)
  })
})

describe('several failures', () => {
  it('come all at once, in the order of the body', () => {
    const body = {
      cart: [{ type: 'book', 'unit-price': 0, quantity: 0 }],
      shipping: { address: { ...ADDRESS, street: 'R' } },
      payer: { ip: 'x', document: { number: 5, type: 'rg' }, email: 'x' },
      charge: [{ 'payment-method': { type: 'credit-card', 'sub-type': 'aura' }, amount: 0.1 }],
      transaction: { language: 'xx', country: 'PT' },
    }
    expect(failuresOf(body)).toEqual([
      'transaction_reference_missing transaction.reference',
      'transaction_country_invalid transaction.country',
      'transaction_currency_missing transaction.currency',
      'transaction_checkout_type_missing transaction.checkout-type',
      'transaction_notification_url_missing transaction.notification-url',
      'transaction_language_invalid transaction.language',
      'charge_#_amount_invalid charge[0].amount',
      'charge_#_payment_method_sub_type_invalid charge[0].payment-method.sub-type',
      'charge_#_payment_info_missing charge[0].payment-info',
      'payer_name_missing payer.name',
      'payer_email_invalid payer.email',
      'payer_phone_number_missing payer.phone-number',
      'payer_document_type_invalid payer.document.type',
      'payer_document_number_invalid payer.document.number',
      'payer_ip_invalid payer.ip',
      'shipping_cost_missing shipping.cost',
      'shipping_address_street_invalid shipping.address.street',
      'cart_#_quantity_invalid cart[0].quantity',
      'cart_#_description_missing cart[0].description',
      'cart_#_unit_price_invalid cart[0].unit-price',
      'cart_#_type_invalid cart[0].type',
    ])
  })

  it('of an empty body name its parts', () => {
    expect(failuresOf({})).toEqual([
      'transaction_missing transaction',
      'charge_missing charge',
      'payer_invalid payer',
      'cart_missing cart',
    ])
  })

  it('of a cart come item by item, each with its index', () => {
    const good = { quantity: 1, description: 'Curso', 'unit-price': 1, type: 'digital' }
    const cart: unknown[] = Array.from({ length: 12 }, () => good)
    cart[2] = { ...good, type: 'book', quantity: 0 }
    cart[10] = 'x'
    cart[11] = { ...good, description: undefined }
    const judged = judge(change('pix', { cart, 'transaction.language': 'xx' }))
    if (judged.ok) throw new Error('refused nothing')
    expect(judged.failures).toMatchObject([
      { name: 'transaction_language_invalid', index: undefined },
      { name: 'cart_#_quantity_invalid', property: 'cart[2].quantity', index: 2 },
      { name: 'cart_#_type_invalid', property: 'cart[2].type', index: 2 },
      { name: 'cart_invalid', property: 'cart[10]', index: 10 },
      { name: 'cart_#_description_missing', property: 'cart[11].description', index: 11 },
    ])
  })

  it.each<[string, unknown, string, string]>([
    ['payer.name', undefined, 'payer_name_missing', 'required'],
    ['payer.name', 5, 'payer_name_invalid', 'type'],
    ['payer.name', 'Maria', 'payer_name_invalid', 'invalid'],
    ['cart[0].quantity', 0, 'cart_#_quantity_invalid', 'minimum'],
    ['cart[0].description', 'a'.repeat(201), 'cart_#_description_invalid', 'maximum'],
    ['charge[0].amount', 0.5, 'charge_#_amount_invalid', 'invalid'],
    ['charge', [{}, {}], 'charge_invalid', 'maximum'],
  ])('name the rule that %s: %j breaks', (path, value, name, constraint) => {
    expect(judge(change('pix', { [path]: value }))).toMatchObject({
      failures: [{ name, constraint }],
    })
  })

  it.each<[string, unknown, number]>([
    ...[-5, '-5', 0, '0.00', -0.001, 0.009, '-1e3'].flatMap(
      (value): [string, unknown, number][] => [
        ['charge[0].amount', value, 0.2],
        ['cart[0].unit-price', value, 0.01],
      ],
    ),
    ['shipping.cost', -0.01, 0],
    ['shipping.cost', '-10.505', 0],
  ])('name for %s: %j the minimum', (path, value, minimum) => {
    expect(failureAt(path, value)).toMatchObject({ constraint: 'minimum', minimum })
  })

  it.each<[string, unknown, object]>([
    ['cart[0].description', 'a'.repeat(201), { constraint: 'maximum', maximum: 200 }],
    ['charge[0].payment-info.installments', 13, { constraint: 'maximum', maximum: 12 }],
    ['transaction.country', 'US', { constraint: 'invalid', allowed: ['BR'] }],
    ['cart[0].type', 'x', { allowed: ['digital', 'physical', 'service', 'subscription'] }],
    ['charge[0].amount', 0.19, { constraint: 'invalid', minimum: 0.2 }],
    ['charge[0].payment-method.sub-type', 'pix', { allowed: BRANDS }],
  ])('name the bounds that %s: %j breaks', (path, value, bounds) => {
    expect(failureAt(path, value)).toMatchObject(bounds)
  })

  it.each([
    ['boleto', { allowed: ['boleto'] }],
    ['pix', { allowed: ['pix'] }],
  ] as const)('name the sub-type that a %s lacks', (method, bounds) => {
    const judged = judge(change(method, { 'charge[0].payment-method.sub-type': undefined }))
    expect(judged).toMatchObject({ failures: [{ constraint: 'required', ...bounds }] })
  })

  it.each<[string, unknown]>([
    ['charge[0].amount', 1.001],
    ['charge[0].amount', '1,00'],
    ['charge[0].amount', '-1,00'],
    ['cart[0].unit-price', 'free'],
    ['shipping.cost', 10.505],
  ])('take %s: %j for no amount at all', (path, value) => {
    const failure = failureAt(path, value)
    expect([failure?.constraint, failure?.minimum]).toEqual(['invalid', undefined])
  })

  it('name an object sent as an array once, not what it lacks', () => {
    const body = change('token', { 'charge[0].payment-info': [], payer: [] })
    expect(failuresOf(body)).toEqual([
      'charge_#_payment_info_invalid charge[0].payment-info',
      'payer_invalid payer',
    ])
  })

  it('are found without asking the policy about a text that is no URL', () => {
    const asked: string[] = []
    const request = change('pix', { 'transaction.notification-url': 'nonsense' })
    const facts = requestFacts(request, {
      today: '2026-11-21',
      wallets: [],
      acceptsNotificationUrl: (url) => asked.push(url) > 0,
    })
    expect(transactionRequestTable.validate(request, facts).ok).toBe(false)
    expect(asked).toEqual([])
  })
})

describe('crossFieldFailures', () => {
  const SUM = 'charge_payments_amount_sum_invalid charge'
  type Line = readonly [quantity: number, price: number | string]

  const order = (amount: unknown, cost: unknown, lines: readonly Line[]): Json =>
    change('boleto', {
      'charge[0].amount': amount,
      shipping: cost === undefined ? undefined : { cost, address: ADDRESS },
      cart: lines.map(([quantity, price]) => ({
        quantity,
        description: 'Curso',
        'unit-price': price,
        type: 'digital',
      })),
    })

  it.each<[amount: unknown, cost: unknown, lines: readonly Line[]]>([
    [100, undefined, [[1, 100]]],
    [100, 0, [[1, 100]]],
    [110.5, 10.5, [[2, 50]]],
    [0.3, undefined, [[1, 0.1], [1, 0.2]]], // prettier-ignore
    [0.1 + 0.2, undefined, [[3, 0.1]]],
    // A line total divided by its quantity.
    [100, undefined, [[3, 33.333333333333336]]],
    [100, undefined, [[3, 33.333333]]],
    [99.99, undefined, [[3, 33.33]]],
    [10, undefined, [[7, 1.4285714285714286]]],
    // Rounded once: each line by itself would round up to 0.34.
    [1.01, undefined, [[1, 0.335], [1, 0.335], [1, 0.335]]], // prettier-ignore
    [10.01, undefined, [[1, '10.005']]],
    [10, undefined, [[1, '10.0049999999999999999999']]],
    [15.01, 5, [[1, '10.005']]],
  ])('takes %j for shipping of %j and %j', (amount, cost, lines) => {
    expect(failuresOf(order(amount, cost, lines))).toEqual([])
  })

  it.each<[amount: unknown, cost: unknown, lines: readonly Line[]]>([
    [99.99, undefined, [[1, 100]]],
    [100.01, undefined, [[1, 100]]],
    [100, 10, [[1, 100]]],
    [110, undefined, [[1, 100]]],
    [100, undefined, [[3, 33.33]]],
    [1.02, undefined, [[1, 0.335], [1, 0.335], [1, 0.335]]], // prettier-ignore
    [10, undefined, [[1, '10.005']]],
    [1, undefined, [[999_999_999, '9'.repeat(400)]]],
    ['90071992547409.91', '90071992547409.91', [[1, '90071992547409.91']]],
  ])('refuses %j for shipping of %j and %j', (amount, cost, lines) => {
    expect(failuresOf(order(amount, cost, lines))).toEqual([SUM])
  })

  it('takes the exact sum of any cart, divided among its items', () => {
    const lines = fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 99 }),
        cents: fc.integer({ min: 1, max: 1e6 }),
      }),
      { minLength: 1, maxLength: 10 },
    )
    fc.assert(
      fc.property(lines, fc.nat(100_000), (items, cost) => {
        const cents = items.reduce((sum, item) => sum + item.quantity * item.cents, 0)
        const list = items.map((item): Line => [item.quantity, item.cents / 100])
        expect(failuresOf(order((cents + cost) / 100, cost / 100, list))).toEqual([])
        expect(failuresOf(order((cents + cost + 1) / 100, cost / 100, list))).toEqual([SUM])
      }),
    )
  })

  it.each<[string, Json, string[]]>([
    ['token', { token: 'a' }, []],
    ['code', { code: CODE }, []],
    ['card', { 'credit-card': CARD }, []],
    ['token and code', { token: 'a', code: CODE }, ['body_invalid charge[0].payment-info']],
    [
      'token and card',
      { token: 'a', 'credit-card': CARD },
      ['body_invalid charge[0].payment-info'],
    ],
    ['code and card', { code: CODE, 'credit-card': CARD }, ['body_invalid charge[0].payment-info']],
    ['a token and an empty code', { token: 'a', code: '' }, []],
  ])('takes one source of the card: %s', (_, source, failures) => {
    const body = change('raw', {
      'charge[0].payment-info': { installments: 1, ...source },
      'payer.phone-number': '+5511987654321',
    })
    expect(failuresOf(body)).toEqual(failures)
  })

  it('reports both the sources and the sum', () => {
    const body = change('token', {
      'charge[0].payment-info.code': CODE,
      'charge[0].amount': 1,
    })
    expect(failuresOf(body)).toEqual(['body_invalid charge[0].payment-info', SUM])
  })
})

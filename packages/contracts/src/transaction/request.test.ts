import { describe, expect, it } from 'vitest'
import { dropAbsent } from '../validation/field-table.js'
import { requestFacts, transactionRequestTable } from './request.js'
import { crossFieldFailures } from './request-sums.js'
import type { RequestPolicy } from './rule-set.js'
import { OPTIONAL_ROWS } from './optional-rows.fixture.js'
import { THREE_D_SECURE_FIELDS, THREE_D_SECURE_INFO } from './three-d-secure.fixture.js'

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
  complement: 'Apto 12',
  district: 'Consolação',
  state: 'SP',
  city: 'São Paulo',
  country: 'BR',
  'zip-code': '01304001',
}

const CARD = { number: '4111111111111111', cvv: '737', 'expiration-date': '2030-03' }

/** A body with every optional field except those of the method. */
function bodyOf(charge: Json): Json {
  const body = {
    transaction: {
      reference: 'pedido-2026.11_21',
      'project-number': 1,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': 'https://loja.example/aviso',
      language: 'pt-BR',
      gifting: true,
      'redirect-urls': { success: 'https://loja.example/ok', fail: 'https://loja.example/nok' },
    },
    charge: [{ amount: 110.5, currency: 'BRL', ...charge }],
    payer: {
      name: 'Maria de Souza',
      email: 'maria@loja.example',
      'birth-date': '1990-02-28',
      'phone-number': '+5511987654321',
      document: { type: 'cpf', number: '52998224725' },
      ip: '187.10.20.30',
      address: ADDRESS,
    },
    shipping: { cost: 10.5, address: ADDRESS },
    cart: [
      { quantity: 2, description: 'Livro', 'unit-price': 50, type: 'physical', category: 'Livros' },
    ],
  }
  return JSON.parse(JSON.stringify(body)) as Json
}

const method = (type: string, subType?: string): Json => ({
  'payment-method': subType === undefined ? { type } : { type, 'sub-type': subType },
})

const METHODS = {
  token: {
    ...method('credit-card', 'visa'),
    'payment-info': { installments: 1, token: 'eyJ.a.b.c.d', save: true },
  },
  code: {
    ...method('credit-card', 'visa'),
    'payment-info': { installments: 1, code: '0123456789abcdefABCDEF0123456789' },
  },
  raw: {
    ...method('credit-card'),
    'payment-info': { installments: 1, 'credit-card': CARD },
  },
  'three-d-secure': { ...method('credit-card'), 'payment-info': THREE_D_SECURE_INFO },
  boleto: method('postpay', 'boleto'),
  wallet: method('e-wallet', 'pagseguro'),
  pix: method('eft', 'pix'),
} as const satisfies Record<string, Json>
type Method = keyof typeof METHODS
const METHOD_NAMES = Object.keys(METHODS) as Method[]

/** The body with one value set at a path, or removed if it is undefined. */
function put(body: Json, path: string, value: unknown): Json {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
  const last = keys.pop() ?? ''
  const parent = keys.reduce((node, key) => node[key] as Json, body)
  // JSON has no undefined: such a key is not sent at all.
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else parent[last] = value
  return body
}

const change = (name: Method, path: string, value: unknown): Json =>
  put(bodyOf(METHODS[name]), path, value)

const validated = (body: unknown) => {
  const request = dropAbsent(body)
  return transactionRequestTable.validate(request, requestFacts(request, policy))
}

/** Failures of a body by itself: names and properties. */
function failuresOf(body: unknown): string[] {
  const judged = validated(body)
  return judged.ok ? [] : judged.failures.map(({ name, property }) => `${name} ${property ?? ''}`)
}

function valueOf(body: unknown) {
  const judged = validated(body)
  if (!judged.ok) throw new Error(JSON.stringify(judged.failures))
  return judged.value
}

const crossFailuresOf = (body: unknown): string[] =>
  crossFieldFailures(valueOf(body)).map(({ name, property }) => `${name} ${property ?? ''}`)

const letters = (length: number): string => 'a'.repeat(length)
const NOT_OBJECTS = ['x', 5, true, []]
const GOOD_URLS = [
  'http://loja.example',
  'https://loja.example:443/aviso?pedido=1',
  `http://loja.example/${letters(180)}`,
]
const BAD_URLS = [
  'nonsense',
  '/aviso',
  'loja.example/aviso',
  'https://',
  'ftp://loja.example/aviso',
  'javascript:alert(1)',
  'https://maria:senha@loja.example/aviso',
  'https://maria@loja.example/aviso',
  `http://loja.example/${letters(181)}`,
  'https://loja.example/aviso?cartao=4111111111111111',
  'https://loja.example/4111-1111-1111-1111/aviso',
  'https://loja.example/aviso?cartao=4111+1111+1111+1111',
  'https://loja.example/aviso?cartao=%34111%201111%201111%201111',
  5,
  {},
]

/** A required text of these lengths. */
const text = (min: number, max: number): Pick<FieldRow, 'accepts' | 'refuses'> => ({
  accepts: [letters(min), letters(max)],
  refuses: [...(min > 1 ? [letters(min - 1)] : []), letters(max + 1), 5, true, {}, ['a']],
})

interface FieldRow {
  readonly path: string
  /** Error names without `_missing` and `_invalid`; or the one name for both. */
  readonly name: string
  readonly accepts: readonly unknown[]
  readonly refuses: readonly unknown[]
  readonly optional?: true
  readonly in?: Method
}

const addressRows = (
  parent: 'payer' | 'shipping',
  min: Readonly<Record<'street' | 'complement' | 'district' | 'city', number>>,
): FieldRow[] => {
  const path = `${parent}.address`
  const name = `${parent}_address`
  const twoLetters = { accepts: ['BR', 'rj'], refuses: ['B', 'BRA', '12', 5, {}] }
  return [
    { path, name, accepts: [ADDRESS], refuses: NOT_OBJECTS },
    { path: `${path}.street`, name: `${name}_street`, ...text(min.street, 160) },
    { path: `${path}.number`, name: `${name}_number`, ...text(1, 20) },
    {
      path: `${path}.complement`,
      name: `${name}_complement`,
      ...text(min.complement, 40),
      optional: true,
    },
    { path: `${path}.district`, name: `${name}_district`, ...text(min.district, 60) },
    { path: `${path}.state`, name: `${name}_state`, ...twoLetters },
    { path: `${path}.city`, name: `${name}_city`, ...text(min.city, 60) },
    { path: `${path}.country`, name: `${name}_country`, ...twoLetters },
    {
      path: `${path}.zip-code`,
      name: `${name}_zip_code`,
      accepts: ['01304001', '00000000'],
      refuses: ['01304-001', '0130400', '013040011', '0130400A', ' 01304001', 1304001],
    },
  ]
}

const FIELDS: readonly FieldRow[] = [
  { path: 'transaction', name: 'transaction', accepts: [], refuses: NOT_OBJECTS },
  {
    path: 'transaction.reference',
    name: 'transaction_reference',
    accepts: ['A', 'pedido-2026.11_21', letters(64)],
    refuses: [letters(65), 'pedido 1', 'pedido#1', 'a/b', 'preço', 'pedido\n', 1, true, {}],
  },
  {
    path: 'transaction.project-number',
    name: 'transaction_project_number',
    accepts: [1, 42],
    refuses: ['1', 1.5, 2 ** 53, 4111111111111111, true, {}],
    optional: true,
  },
  {
    path: 'transaction.country',
    name: 'transaction_country',
    accepts: ['BR'],
    refuses: ['br', 'BRA', 'PT', 76],
  },
  {
    path: 'transaction.currency',
    name: 'transaction_currency',
    accepts: ['BRL'],
    refuses: ['brl', 'USD', 'BRLX', 986],
  },
  {
    path: 'transaction.checkout-type',
    name: 'transaction_checkout_type',
    accepts: ['direct'],
    refuses: ['DIRECT', 'redirect', 1],
  },
  {
    path: 'transaction.notification-url',
    name: 'transaction_notification_url',
    accepts: GOOD_URLS,
    refuses: [...BAD_URLS, 'https://loja.example:8443/aviso'],
  },
  {
    path: 'transaction.language',
    name: 'transaction_language',
    accepts: ['pt-BR', 'en-US', 'es-ES', 'pt-PT', 'tr-TR'],
    refuses: ['pt', 'pt-br', 'pt_BR', 'fr-FR', 5],
  },
  ...OPTIONAL_ROWS,
  {
    path: 'transaction.redirect-urls',
    name: 'transaction_redirect_urls',
    accepts: [],
    refuses: NOT_OBJECTS,
    in: 'wallet',
  },
  ...['success', 'fail'].map((end) => ({
    path: `transaction.redirect-urls.${end}`,
    name: `transaction_redirect_urls_${end}`,
    accepts: GOOD_URLS,
    refuses: BAD_URLS,
  })),
  { path: 'charge', name: 'charge', accepts: [], refuses: ['x', 5, {}, [], [{}, {}]] },
  { path: 'charge[0]', name: 'charge_invalid', accepts: [], refuses: [...NOT_OBJECTS, null] },
  {
    path: 'charge[0].amount',
    name: 'charge_#_amount',
    accepts: [0.2, 100, 100.5, '0.20', '100.00', '1e2', 19.990000000000002],
    refuses: [0, 0.19, -1, 100.001, '100,00', 'R$ 100', '1e999', Infinity, ' 1', true, {}, [1]],
  },
  {
    path: 'charge[0].currency',
    name: 'charge_invalid',
    accepts: ['BRL'],
    refuses: ['brl', 'USD', 986],
    in: 'raw',
  },
  {
    path: 'charge[0].payment-method',
    name: 'charge_#_payment_method',
    accepts: [],
    refuses: NOT_OBJECTS,
  },
  {
    path: 'charge[0].payment-method.type',
    name: 'charge_#_payment_method_type',
    accepts: ['credit-card'],
    refuses: ['CREDIT-CARD', 'pix', 'boleto', 5, {}],
  },
  {
    path: 'charge[0].payment-method.sub-type',
    name: 'charge_#_payment_method_sub_type',
    accepts: ['visa', 'mastercard', 'amex', 'elo', 'hipercard', 'diners'],
    refuses: ['VISA', 'discover', 'jcb', 'aura', 'boleto', 'pix', 'pagseguro', 5, {}],
    optional: true,
  },
  {
    path: 'charge[0].payment-info',
    name: 'charge_#_payment_info',
    accepts: [],
    refuses: NOT_OBJECTS,
  },
  {
    path: 'charge[0].payment-info.installments',
    name: 'charge_#_payment_info_installments',
    accepts: [1, 12, '1', '12'],
    refuses: [0, 13, -1, 1.5, '0', '13', '-1', '1.5', '1e1', 'x', true, {}],
  },
  {
    path: 'charge[0].payment-info.token',
    name: 'charge_#_payment_info_token',
    accepts: ['a', letters(1024)],
    refuses: [letters(1025), 5, true, {}],
  },
  {
    path: 'charge[0].payment-info.code',
    name: 'charge_#_payment_info_code',
    accepts: [letters(32), 'A1'.repeat(16)],
    refuses: [letters(31), letters(33), `${letters(31)}-`, `${letters(31)}ç`, 5, {}],
    optional: true,
  },
  {
    path: 'charge[0].payment-info.save',
    name: 'charge_#_payment_info_save',
    accepts: [true, false],
    refuses: ['true', 1, {}],
    optional: true,
  },
  {
    path: 'charge[0].payment-info.credit-card',
    name: 'charge_#_payment_info_credit_card_invalid',
    accepts: [CARD],
    refuses: NOT_OBJECTS,
    optional: true,
  },
  {
    path: 'charge[0].payment-info.credit-card.number',
    name: 'charge_#_payment_info_credit_card_number_invalid',
    accepts: ['4111111111111111', '6062820000000000001'],
    refuses: [
      '4111111111111112',
      '1'.repeat(20),
      '4111 1111 1111 1111',
      '4111-1111',
      'x',
      4111111111111111,
    ],
    in: 'raw',
  },
  {
    path: 'charge[0].payment-info.credit-card.cvv',
    name: 'charge_#_payment_info_credit_card_cvv_invalid',
    accepts: ['123', '0000'],
    refuses: ['12', '12345', '12a', ' 123', 123],
    in: 'raw',
  },
  {
    path: 'charge[0].payment-info.credit-card.expiration-date',
    name: 'charge_#_payment_info_credit_card_expiration_date_invalid',
    accepts: ['2030-01', '2030-12'],
    refuses: ['2030-00', '2030-13', '2030-1', '30-01', '01/2030', '2030-01-01', 203001],
    in: 'raw',
  },
  {
    path: 'charge[0].payment-info.three-d-secure',
    name: 'charge_#_payment_info_three_d_secure_invalid',
    accepts: [THREE_D_SECURE_INFO['three-d-secure']],
    refuses: NOT_OBJECTS,
    optional: true,
  },
  ...THREE_D_SECURE_FIELDS.map(([field, accepts, refuses]): FieldRow => ({
    path: `charge[0].payment-info.three-d-secure.${field}`,
    name: 'charge_#_payment_info_three_d_secure_invalid',
    accepts,
    refuses,
    in: 'three-d-secure',
    ...(field === 'ds-transaction-id' && { optional: true }),
  })),
  { path: 'payer', name: 'payer_invalid', accepts: [], refuses: NOT_OBJECTS },
  {
    path: 'payer.name',
    name: 'payer_name',
    accepts: [
      'Jo L',
      'Maria e Souza',
      "João D'Ávila",
      'Ana-Clara Müller',
      'A&B Livros, Filhos S/A.',
      `${letters(50)} ${letters(50)} a`,
      `${letters(4)} ${`${letters(49)} `.repeat(5)}`.trimEnd(),
    ],
    refuses: [
      'Maria',
      'M Souza',
      'Maria  Souza',
      ' Maria Souza',
      'Maria Souza ',
      'Maria\tSouza',
      `${letters(51)} Souza`,
      `Maria ${letters(51)} Souza`,
      `Maria${` ${letters(49)}`.repeat(5)}a`,
      'Maria Souza2',
      'Maria Souza®',
      'Мария Соуза',
      5,
      {},
    ],
  },
  {
    path: 'payer.email',
    name: 'payer_email',
    accepts: ['a@b.co', 'a+b-c.d_e@sub.loja.com.br', `${letters(47)}@loja.example`],
    refuses: [
      `${letters(48)}@loja.example`,
      '4111111111111111@loja.example',
      'maria',
      'maria@loja',
      '@loja.example',
      'maria@',
      'ma ria@loja.example',
      'joão@loja.example',
      "o'neil@loja.example",
      'maria@loja..example',
      'maria@-loja.example',
      'maria@loja.example\n',
      'a@b@loja.example',
      5,
    ],
  },
  {
    path: 'payer.birth-date',
    name: 'payer_birth_date',
    accepts: ['1990-02-28', '2000-02-29', '1900-01-01'],
    refuses: ['1899-12-31', '2001-02-29', '1990-13-01', '28/02/1990', '1990-2-8', 19900228],
  },
  {
    path: 'payer.phone-number',
    name: 'payer_phone_number',
    accepts: ['+5511987654321', '+551132654321', '+14155552671'],
    refuses: [
      '5511987654321',
      '11987654321',
      '+55 11 98765-4321',
      '+55(11)987654321',
      '+5501987654321',
      '+5511887654321',
      '+55119876543210',
      '+1415555',
      '+0123456789',
      `+1${'2'.repeat(15)}`,
      5511987654321,
    ],
  },
  { path: 'payer.document', name: 'payer_document', accepts: [], refuses: NOT_OBJECTS },
  {
    path: 'payer.document.type',
    name: 'payer_document_type',
    accepts: ['cpf', 'CPF', 'Cpf'],
    refuses: ['rg', 'c pf', 'cpf ', 5, {}],
  },
  {
    path: 'payer.document.number',
    name: 'payer_document_number',
    accepts: ['52998224725', '39053344705'],
    refuses: ['52998224724', '529.982.247-25', '5299822472', '11222333000181', 52998224725, {}],
  },
  {
    path: 'payer.ip',
    name: 'payer_ip',
    accepts: ['187.10.20.30', '2001:db8::1', '::ffff:187.10.20.30'],
    refuses: ['256.1.1.1', '1.2.3', '01.2.3.4', '1.2.3.4:80', '[::1]', '::g', 'localhost', 5],
    in: 'pix',
  },
  ...addressRows('payer', { street: 1, complement: 1, district: 1, city: 1 }),
  { path: 'shipping', name: 'shipping', accepts: [], refuses: NOT_OBJECTS },
  {
    path: 'shipping.cost',
    name: 'shipping_cost',
    accepts: [0, 0.01, 10.5, '10.50', '0'],
    refuses: [-0.01, 10.505, '10,50', 'free', true, {}],
  },
  ...addressRows('shipping', { street: 3, complement: 5, district: 4, city: 3 }),
  { path: 'cart', name: 'cart', accepts: [], refuses: ['x', 5, {}, []] },
  { path: 'cart[0]', name: 'cart_invalid', accepts: [], refuses: [...NOT_OBJECTS, null] },
  {
    path: 'cart[0].quantity',
    name: 'cart_#_quantity',
    accepts: [1, '1', 2.0, '2.0000', '1.0', 999_999_999, '999999999'],
    refuses: [
      0,
      -1,
      1.5,
      '0',
      '0.0',
      '1.5',
      '1.',
      '.0',
      '1.0001',
      '1,0',
      '1e1',
      ' 1',
      1_000_000_000,
      'um',
      true,
      {},
    ],
  },
  { path: 'cart[0].description', name: 'cart_#_description', ...text(1, 200) },
  {
    path: 'cart[0].unit-price',
    name: 'cart_#_unit_price',
    accepts: [0.01, '0.01', 33.333333333333336, '33.3333333333333333333', 1e21],
    refuses: [0, 0.009, '0.0099999', -1, '1,00', 'R$ 1', '1e999', Infinity, true, {}],
  },
  {
    path: 'cart[0].type',
    name: 'cart_#_type',
    accepts: ['digital', 'physical', 'service', 'subscription'],
    refuses: ['PHYSICAL', 'book', 5],
  },
  { path: 'cart[0].category', name: 'cart_#_category', ...text(1, 64), optional: true },
]

const nameOf = ({ name }: FieldRow, kind: 'missing' | 'invalid'): string =>
  name.endsWith('_invalid') ? name : `${name}_${kind}`

const isElement = ({ path }: FieldRow): boolean => path.endsWith(']')

describe('a valid transaction request', () => {
  it.each(METHOD_NAMES)('pays by %s', (name) => {
    expect(failuresOf(bodyOf(METHODS[name]))).toEqual([])
    expect(crossFailuresOf(bodyOf(METHODS[name]))).toEqual([])
  })

  it('comes out with amounts in centavos, exact prices and the document type in upper case', () => {
    const { charge, shipping, payer, cart } = valueOf(bodyOf(METHODS.token))
    expect([charge[0]?.amount, shipping?.cost]).toEqual([11_050, 1050])
    expect([payer.document.type, cart[0]?.['unit-price']]).toEqual([
      'CPF',
      { digits: 50n, scale: 0 },
    ])
  })

  it.each([
    'cart[0].description',
    'cart[0].category',
    ...['payer', 'shipping'].flatMap((who) =>
      ['street', 'number', 'complement', 'district', 'city'].map(
        (part) => `${who}.address.${part}`,
      ),
    ),
  ])('comes out with the card number masked in %s', (path) => {
    const { cart, payer, shipping } = valueOf(change('raw', path, '5555444433331111 #1'))
    const descriptions = cart.map(({ description, category }) => [description, category])
    const text = JSON.stringify({ descriptions, payer, shipping })
    expect(text).toContain('"************ #1"')
    expect(text).not.toContain('1111')
  })

  it('comes out with the raw card as it was sent', () => {
    const { charge } = valueOf(bodyOf(METHODS.raw))
    expect(charge[0]?.['payment-info']?.['credit-card']).toEqual(CARD)
  })

  it('comes out without fields that the interface does not know', () => {
    const body = change('pix', 'payer.nickname', 'Mari')
    expect(valueOf({ ...body, extra: 1 })).toEqual(valueOf(bodyOf(METHODS.pix)))
  })
})

describe('every field of a transaction request', () => {
  it('is in the table of these tests', () => {
    const patterns = FIELDS.map(({ path }) => path.replaceAll('[0]', '[]'))
    const known = transactionRequestTable.fields.map(({ pattern }) => pattern)
    expect(patterns.toSorted()).toEqual(known.filter((pattern) => pattern !== '').toSorted())
  })

  it.each([undefined, null, 'x', 5, true, []])('refuses the body %j as a whole', (body) => {
    expect(failuresOf(body)).toEqual(['body_invalid '])
  })

  it.each(FIELDS.filter((row) => !isElement(row)).map((row) => [row.path, row] as const))(
    'judges the absence of %s, be it not sent, null or empty',
    (path, row) => {
      const expected = row.optional === true ? [] : [`${nameOf(row, 'missing')} ${path}`]
      for (const absent of [undefined, null, ''])
        expect(failuresOf(change(row.in ?? 'token', path, absent))).toEqual(expected)
    },
  )

  it.each(FIELDS.flatMap((row) => row.accepts.map((value) => [row.path, value, row] as const)))(
    'takes %s: %j',
    (path, value, row) => {
      expect(failuresOf(change(row.in ?? 'token', path, value))).toEqual([])
    },
  )

  it.each(FIELDS.flatMap((row) => row.refuses.map((value) => [row.path, value, row] as const)))(
    'refuses %s: %j',
    (path, value, row) => {
      const failures = failuresOf(change(row.in ?? 'token', path, value))
      expect(failures).toEqual([`${nameOf(row, 'invalid')} ${path}`])
    },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.js'
import { dropAbsent } from '../validation/field-table.js'
import { requestFacts, transactionRequestTable, transactionRequestTables } from './request.js'
import { crossFieldFailures } from './request-sums.js'
import type { RequestPolicy, RequestRules } from './rule-set.js'

const policy: RequestPolicy = {
  today: '2026-11-21',
  wallets: ['pagseguro'],
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

const VALID_BODY = {
  transaction: {
    reference: 'pedido-1',
    'project-number': 1,
    country: 'BR',
    currency: 'BRL',
    'checkout-type': 'direct',
    'notification-url': 'https://loja.example/aviso',
    language: 'pt-BR',
    gifting: true,
    'redirect-urls': { success: 'https://loja.example/ok', fail: 'https://loja.example/nok' },
  },
  charge: [
    {
      amount: 110.5,
      currency: 'BRL',
      'payment-method': { type: 'credit-card', 'sub-type': 'visa' },
      'payment-info': { installments: 1, token: 'eyJ.a.b.c.d', save: true },
    },
  ],
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
    { quantity: 2, description: 'Livro', 'unit-price': 25, type: 'physical', category: 'Livros' },
    { quantity: 1, description: 'Curso', 'unit-price': '50.00', type: 'digital' },
  ],
}

/** Judges the JSON text as a gateway would, under both rule sets. */
function answerOf(text: string): unknown {
  const answer = answerUnder('specification', text)
  if (answer === undefined) expect(answerUnder('lenient', text)).toBeUndefined()
  else answerUnder('lenient', text)
  return answer
}

function answerUnder(rules: RequestRules, text: string): unknown {
  const body = dropAbsent(JSON.parse(text))
  const judged = transactionRequestTables[rules].validate(body, requestFacts(body, policy))
  const [first, ...rest] = judged.ok ? crossFieldFailures(judged.value, rules) : judged.failures
  if (first === undefined) {
    expect(judged.ok).toBe(true)
    return undefined
  }
  const failures = [first, ...rest]
  const places = failures.map(({ name, property }) => `${name} ${property ?? ''}`)
  expect(new Set(places).size).toBe(places.length)
  const { errors } = new ApiError([first, ...rest]).toBody()
  for (const { code, description } of errors) {
    expect(code).toBeGreaterThan(0)
    expect(description).toMatch(/^[a-z0-9_]+$/)
  }
  return errors
}

const KEYS = [
  ...new Set(
    transactionRequestTable.fields.flatMap(({ pattern }) =>
      pattern.replaceAll('[]', '').split('.'),
    ),
  ),
  '__proto__',
  'constructor',
  'toString',
  'length',
  '0',
]

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, '', true, 0, -1, 1e21, 5e-324, 'credit-card', 'e-wallet', 'cnpj'),
  fc.constantFrom<unknown>('physical', '1e999', '-0', '9'.repeat(500), '\u0000', '\ud800', 'ſ'),
  fc.string({ unit: 'binary' }),
  fc.double(),
)

/** JSON built from the request's own keys. */
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

const anyJson = fc.oneof(fc.jsonValue(), json)

type Path = readonly (string | number)[]

/** The paths of all values in a body. */
function placesIn(value: unknown, path: Path = []): Path[] {
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...children.flatMap(([key, child]) => placesIn(child, [...path, key]))]
}

function withValueAt(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  const parent = typeof body === 'object' && body !== null ? body : {}
  const child = withValueAt((parent as Record<string, unknown>)[key], rest, value)
  return Array.isArray(parent)
    ? parent.map((element: unknown, index) => (String(index) === String(key) ? child : element))
    : { ...parent, [key]: child }
}

describe('a transaction request of any shape', () => {
  it('is answered when it is any JSON at all', () => {
    fc.assert(
      fc.property(anyJson, (body) => {
        answerOf(JSON.stringify(body))
      }),
      { numRuns: 200 },
    )
  })

  it('is answered with any value anywhere in a valid body', () => {
    const replacements = fc.array(
      fc.tuple(fc.constantFrom(...placesIn(VALID_BODY)), fc.option(anyJson, { nil: undefined })),
      { minLength: 1, maxLength: 4 },
    )
    expect(answerOf(JSON.stringify(VALID_BODY))).toBeUndefined()
    fc.assert(
      fc.property(replacements, (list) => {
        const body = list.reduce<unknown>(
          (at, [path, value]) => withValueAt(at, path, value),
          VALID_BODY,
        )
        answerOf(JSON.stringify(body) || 'null')
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    ['arrays', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth: number) => `${'{"payer":'.repeat(depth)}1${'}'.repeat(depth)}`],
    ['carts', (depth: number) => `${'{"cart":['.repeat(depth)}1${']}'.repeat(depth)}`],
  ])('is answered when it nests %s as deep as a body can', (_, nest) => {
    expect(answerOf(nest(100_000))).toBeDefined()
    const deepPayer = JSON.stringify({ ...VALID_BODY, extra: 0 })
    expect(answerOf(deepPayer.replace('"extra":0', `"extra":${nest(100_000)}`))).toBeUndefined()
  })

  it.each(placesIn(VALID_BODY).map((path) => [path.join('.'), path] as const))(
    'is answered when a length that cannot be compared stands at %j',
    (_, path) => {
      const body = withValueAt(VALID_BODY, path, { length: { toString: 1, valueOf: 1 } })
      expect(answerOf(JSON.stringify(body))).toBeDefined()
    },
  )

  it('cannot give an object a prototype', () => {
    const text = JSON.stringify(VALID_BODY).replace('{', '{"__proto__":{"polluted":true},')
    expect(answerOf(text)).toBeUndefined()
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('dropAbsent', () => {
  it.each<[unknown, unknown]>([
    [null, null],
    ['', ''],
    [0, 0],
    [false, false],
    [
      { a: null, b: '', c: 0, d: false, e: ' ' },
      { c: 0, d: false, e: ' ' },
    ],
    [{ a: { b: null } }, { a: {} }],
    [{ a: [null, '', { b: null }] }, { a: [null, '', {}] }],
  ])('makes of %j %j', (value, rest) => {
    expect(dropAbsent(value)).toEqual(rest)
  })
})

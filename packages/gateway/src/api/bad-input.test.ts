import process from 'node:process'
import {
  errorBodySchema,
  errorCatalogue,
  interestChangeTable,
  paymentSearchTable,
  transactionRequestTable,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  RAILS,
  type RailName,
  type SendOptions,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'
import { servesRooms } from '../rooms.fixture.js'
import { linkRequest } from '../../../links/src/payment-link.fixture.js'

/** Requests of all properties on one engine. */
const RUNS = { json: 300, spoilt: 400, bytes: 120, headers: 150, targets: 200, methods: 100 }
/** Processor time, because a busy machine takes longer. */
const HANG_MS = 5000

const KNOWN_CODES = new Set(Object.values(errorCatalogue).map(({ code }) => code))

/** Keys of the bodies, and keys of JavaScript's own. */
const KEYS = [
  ...new Set(
    transactionRequestTable.fields.flatMap(({ pattern }) =>
      pattern.replaceAll('[]', '').split('.'),
    ),
  ),
  ...['transaction-id', 'notify-url', 'test-mode', 'reference'],
  ...[interestChangeTable, paymentSearchTable].flatMap(({ fields }) =>
    fields.map(({ pattern }) => pattern),
  ),
  ...['__proto__', 'constructor', 'toString', 'length', '0', ''],
]

const NASTY = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  "'; --",
  '<script>',
  '{{7*7}}',
  'ß'.repeat(300),
]

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, '', true, 0, -1, 1, 100, 1e21, 5e-324, '1e999', '-0', '0.10'),
  fc.constantFrom<unknown>('BR', 'BRL', 'credit-card', 'e-wallet', 'eft', 'postpay', 'physical'),
  fc.constantFrom<unknown>(...NASTY, '9'.repeat(500), 'x'.repeat(5000)),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
)

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

type Path = readonly string[]

function placesIn(value: unknown, path: Path = []): Path[] {
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...children.flatMap(([key, child]) => placesIn(child, [...path, key]))]
}

function withValueAt(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  const parent = typeof body === 'object' && body !== null ? body : {}
  const child = withValueAt((parent as Record<string, unknown>)[key], rest, value)
  return Array.isArray(parent)
    ? parent.map((element: unknown, index) => (String(index) === key ? child : element))
    : { ...parent, [key]: child }
}

let references = 0
const nextReference = (): string => `order-${++references}`

const NO_ENDPOINT = `ep_${'x'.repeat(24)}`

/** Valid bodies to spoil, each with a reference that was never used. */
const VALID: readonly [string, () => unknown][] = [
  ['/transactions', () => cardRequest(nextReference())],
  ...(Object.keys(RAILS) as RailName[]).map(
    (rail) =>
      ['/transactions', () => railRequest(nextReference(), rail)] as [string, () => unknown],
  ),
  ['/refunds', () => ({ 'transaction-id': 1, 'notify-url': 'https://shop.example/n', amount: 1 })],
  ['/payment-links', () => linkRequest(nextReference())],
  [
    '/saved-cards',
    () => {
      const { name, email, document } = cardRequest('order').payer
      return { token: 'the.token', payer: { name, email, document, ip: '203.0.113.7' } }
    },
  ],
  ['/saved-cards/searches', () => ({ 'payer-email': 'maria@example.com', limit: 5 })],
  [
    '/event-endpoints',
    () => ({ url: 'https://shop.example/events', types: ['link.paid'], enabled: true }),
  ],
  [`/event-endpoints/${NO_ENDPOINT}/changes`, () => ({ enabled: false })],
  ['/events/evt_1_1/deliveries', () => ({ endpoint: NO_ENDPOINT })],
  ['/payments/searches', () => ({ 'payer-email': 'maria@example.com', limit: 5 })],
  [
    '/interest/changes',
    () => ({ brand: 'visa', 'monthly-rate-percent': 2.99, 'interest-free': 3, usual: false }),
  ],
]
const TARGETS = [...new Set(VALID.map(([at]) => at))]

const spoiltBody = fc.constantFrom(...VALID).chain(([target, valid]) =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...placesIn(valid())), fc.oneof(json, fc.constant(undefined))),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((changes) => ({
      target,
      body: changes.reduce<unknown>((at, [path, value]) => withValueAt(at, path, value), valid()),
    })),
)

const HEADER_NAMES = [
  ...['accept', 'authorization', 'content-type', 'accept-language', 'content-md5'],
  ...['idempotency-key', 'content-length', 'content-encoding', 'transfer-encoding', 'cookie'],
  ...['x-forwarded-for', 'x-http-method-override', 'if-none-match', 'range', 'origin', 'expect'],
]

/** Values that a header can carry: Latin-1 without line breaks and NUL. */
const headerValue = fc.oneof(
  fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,60}$/),
  fc.stringMatching(/^application\/vnd\.cofre\.?v?[0-9]?\+?(json|xml)?;? ?(charset=)?[\w-]{0,8}$/),
  fc.stringMatching(/^store-1:[0-9a-f]{60,66}$/),
  fc.constantFrom(
    '-1',
    '1e9',
    '99999999999999999999',
    'gzip',
    'chunked',
    'application/json;',
    ',;=',
  ),
)

const PARAMETERS = [
  ...['initial-order-date', 'final-order-date', 'initial-payment-date', 'final-payment-date'],
  ...['initial-last-status-change-date', 'final-last-status-change-date', 'status', 'page'],
  ...['limit', 'cursor', 'created-from', 'created-until', 'method', 'transaction-code', 'type'],
  ...['max-page-results', 'bin', 'brand', 'country', 'amount', 'currency', '__proto__', 'toString'],
]

const parameterValue = fc.oneof(
  fc.string({ unit: 'binary' }).map(encodeURIComponent),
  fc.constantFrom('%', '%zz', '%00', '%ff', '+', '&&', '=', '1e5', '-1', '0', '10', '999999999999'),
  fc.constantFrom(
    '2026-11-01T00:00:00.0Z',
    '2026-11-01T00:00:00.0-03:00',
    '9999-12-31T23:59:59.9Z',
  ),
  fc.constantFrom(
    'COMPLETE',
    'PENDING',
    'BR',
    'BRL',
    '411111',
    '000000',
    'visa',
    '100.00',
    '0.001',
  ),
)

const query = fc
  .array(fc.tuple(fc.constantFrom(...PARAMETERS), parameterValue), { maxLength: 6 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

const path = fc.oneof(
  fc.constantFrom('/transactions', '/card', '/card/bin', '/card/installments', '/refunds', '/'),
  fc.constantFrom('/interest', '/interest/changes', '/payment-links'),
  fc.constantFrom('/payments', '/payments/searches', '/payments/1/cancellation'),
  fc.constantFrom('/payments/1/capture'),
  fc.constantFrom('/saved-cards', '/saved-cards/searches', '/saved-cards/1'),
  fc.constantFrom('/saved-cards/1/deletion'),
  fc.constantFrom('/events', '/events/evt_1_1', '/events/1', '/events/evt_1_1/deliveries'),
  fc.constantFrom('/event-endpoints', '/event-endpoints/1', `/event-endpoints/${NO_ENDPOINT}`),
  fc.constantFrom('/event-endpoints/1/changes', '/event-endpoints/1/secret-rotations'),
  fc.constantFrom('/b', '/q', '/w', '/openapi.json', '/transactions/', '//', '/card/bin/411111'),
  fc
    .tuple(
      fc.constantFrom('/transactions/', '/payments/', '/card/bin/', '/b/', '/q/', '/w/', '/'),
      fc.oneof(parameterValue, fc.constantFrom('..', '..%2f', '%2e%2e', 'a.png', '%00.svg', '1/2')),
    )
    .map(([folder, name]) => folder + name),
)

/** Path and query as a client sends them: normalised, so that the signature fits. */
const target = fc.tuple(path, query).map(([at, parameters]) => {
  const { pathname, search } = new URL(`http://localhost${at}?${parameters}`)
  return pathname + search
})

for (const engine of TEST_ENGINES) {
  describe(`bad input on ${engine.name}`, () => {
    let test: TestGateway
    let asked = 0
    beforeAll(async () => {
      test = await openTestGateway(engine, servesRooms)
    })
    afterAll(() => test.close())

    /** Sends the request and checks the answer against the promise. */
    async function ask(method: string, at: string, options: SendOptions): Promise<void> {
      asked += 1
      // Throws if the answer is neither promised by the API document nor an error of the catalogue.
      const { status, json: body, headers } = await test.send(method, at, options)
      if (status < 300) return
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      const { errors } = errorBodySchema.parse(body)
      for (const { code, description } of errors) {
        expect(KNOWN_CODES).toContain(code)
        expect(description).toMatch(/^[a-z0-9_]+$/)
      }
      expect(headers.get('content-type')).toMatch(/json; charset=UTF-8$/)
    }

    const holds = async <T>(
      runs: number,
      arbitrary: fc.Arbitrary<T>,
      promise: (value: T) => Promise<void>,
    ): Promise<void> => {
      await fc.assert(fc.asyncProperty(arbitrary, promise), { numRuns: runs })
    }

    it('answers any JSON', async () => {
      const anyTarget = fc.constantFrom(...TARGETS)
      await holds(RUNS.json, fc.tuple(anyTarget, fc.oneof(json, fc.jsonValue())), ([at, body]) =>
        ask('POST', at, { body: JSON.stringify(body) }),
      )
    })

    it('answers a valid body with any value at any place', async () => {
      await holds(RUNS.spoilt, spoiltBody, ({ target: at, body }) =>
        ask('POST', at, { body: JSON.stringify(body) }),
      )
    })

    it('answers bodies of bytes, cut off, or with a claimed signature', async () => {
      const cut = fc.nat(500).map((length) => {
        const text = JSON.stringify(cardRequest(nextReference()))
        return Buffer.from(text.slice(0, length))
      })
      const bytes = fc.oneof(fc.uint8Array({ maxLength: 2000 }), cut)
      const authorization = fc.option(headerValue, { nil: undefined })
      const anyTarget = fc.constantFrom(...TARGETS)
      await holds(
        RUNS.bytes,
        fc.tuple(anyTarget, bytes, authorization, fc.boolean()),
        ([at, body, value, isSigned]) =>
          ask('POST', at, { body, ...(!isSigned && { headers: { authorization: value } }) }),
      )
    })

    it('answers any headers', async () => {
      const headers = fc.dictionary(fc.constantFrom(...HEADER_NAMES), headerValue, { minKeys: 1 })
      await holds(RUNS.headers, fc.tuple(headers, fc.boolean()), ([over, isSearch]) =>
        isSearch
          ? ask('GET', '/transactions/58000000000000', { headers: over })
          : ask('POST', '/transactions', { body: cardRequest(nextReference()), headers: over }),
      )
    })

    it('answers any path and query', async () => {
      await holds(RUNS.targets, fc.tuple(target, fc.boolean()), ([at, isSigned]) =>
        ask('GET', at, isSigned ? {} : { headers: { authorization: undefined } }),
      )
    })

    it('answers any method', async () => {
      const method = fc.oneof(
        fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST', 'GET', 'PROPFIND'),
        fc.stringMatching(/^[A-Za-z!#$%&'*+.^_`|~-]{1,20}$/),
      )
      // Node's parser refuses `toString` and its like before the router, which would take them.
      const allowed = method.filter(
        (name) =>
          !['HEAD', 'CONNECT', 'TRACE', 'TRACK'].includes(name.toUpperCase()) && !(name in {}),
      )
      await holds(RUNS.methods, fc.tuple(allowed, target), ([name, at]) =>
        ask(name.toUpperCase() === 'GET' ? 'GET' : name, at, {}),
      )
    })

    it.each(['/transactions', '/card', '/b/x', '/nothing', '/'])(
      'answers HEAD of %s without a body',
      async (at) => {
        const answer = await test.app.request(at, { method: 'HEAD' }, {})
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.status).toBeLessThan(500)
        expect(await answer.text()).toBe('')
      },
    )

    it.each([
      ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
      ['objects', '{"payer":'.repeat(25_000) + '1' + '}'.repeat(25_000)],
      ['one long number', `{"charge":[{"amount":${'9'.repeat(200_000)}}]}`],
      ['many items', JSON.stringify({ cart: Array.from({ length: 20_000 }, () => ({})) })],
      ['many keys', JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, KEYS])))],
    ])('answers a body of %s', async (_, body) => {
      const before = process.cpuUsage()
      for (const at of TARGETS) await ask('POST', at, { body })
      const { user } = process.cpuUsage(before)
      expect(user / 1000).toBeLessThan(HANG_MS)
    })

    it('has been asked more than a thousand times, and logged no failure of its own', () => {
      expect(asked).toBeGreaterThanOrEqual(1200)
      expect(test.logged.filter((line) => line.startsWith('a request failed'))).toEqual([])
    })
  })
}

import { DAY_MS, type WireError, errorCatalogue } from '@cofre/contracts'
import { NEVER_RETURNED } from '@cofre/contracts/errors'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type SendOptions,
  type TestAnswer,
  type TestGateway,
  cardRequest,
  TEST_RAILS,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'

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
const RAW_CARD = { number: '4111111111111111', cvv: '123', 'expiration-date': '2030-12' }

let references = 0
const nextReference = (): string => `order-${++references}`

/** Valid bodies to spoil. */
const BODIES = {
  card: () => cardRequest(nextReference()),
  physical() {
    const { cart, payer, ...rest } = cardRequest(nextReference())
    return {
      ...rest,
      payer: { ...payer, address: ADDRESS },
      shipping: { cost: 0, address: ADDRESS },
      cart: cart.map((item) => ({ ...item, type: 'physical', category: 'Livros' })),
    }
  },
  raw() {
    const { charge, payer, ...rest } = cardRequest(nextReference(), {
      token: undefined,
      'credit-card': RAW_CARD,
    })
    return {
      ...rest,
      charge: [{ ...charge[0], currency: 'BRL' }],
      payer: { ...payer, ip: '203.0.113.7' },
    }
  },
  boleto: () => railRequest(nextReference(), 'boleto'),
  wallet: () => railRequest(nextReference(), 'pagseguro'),
} satisfies Record<string, () => object>

/** The JSON value with another one at the path `charge[0].amount`; undefined removes it. */
function spoil(body: object, path: string, value: unknown): object {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  const copy = structuredClone(body)
  const last = steps.pop() ?? ''
  const parent = steps.reduce<Record<string, unknown>>(
    (at, step) => at[step] as Record<string, unknown>,
    copy as Record<string, unknown>,
  )
  parent[last] = value
  return copy
}

const none = undefined
const long = (length: number): string => 'x'.repeat(length)

/** The body, path and value that cause each code. */
const FIELDS: readonly (readonly [number, keyof typeof BODIES, string, unknown])[] = [
  [210101, 'card', 'transaction', none],
  [210102, 'card', 'transaction', 'x'],
  [210103, 'card', 'transaction.reference', none],
  [210104, 'card', 'transaction.reference', 'não é'],
  [210106, 'card', 'transaction.project-number', 'x'],
  [210107, 'card', 'transaction.country', none],
  [210108, 'card', 'transaction.country', 'US'],
  [210109, 'card', 'transaction.currency', none],
  [210110, 'card', 'transaction.currency', 'USD'],
  [210111, 'card', 'transaction.checkout-type', none],
  [210112, 'card', 'transaction.checkout-type', 'indirect'],
  [210113, 'card', 'transaction.notification-url', none],
  [210114, 'card', 'transaction.notification-url', 'shop.example'],
  [210115, 'wallet', 'transaction.redirect-urls', none],
  [210116, 'wallet', 'transaction.redirect-urls', 'x'],
  [210117, 'card', 'transaction.language', none],
  [210118, 'card', 'transaction.language', 'fr-FR'],
  [210119, 'wallet', 'transaction.redirect-urls.success', none],
  [210120, 'wallet', 'transaction.redirect-urls.success', 'x'],
  [210121, 'wallet', 'transaction.redirect-urls.fail', none],
  [210122, 'wallet', 'transaction.redirect-urls.fail', 'x'],
  [210201, 'card', 'charge', none],
  [210202, 'card', 'charge', []],
  [210203, 'card', 'charge[0].amount', none],
  [210204, 'card', 'charge[0].amount', 0.19],
  [210205, 'card', 'charge[0].payment-method', none],
  [210206, 'card', 'charge[0].payment-method', 'x'],
  [210207, 'card', 'charge[0].payment-method.type', none],
  [210208, 'card', 'charge[0].payment-method.type', 'cash'],
  [210209, 'boleto', 'charge[0].payment-method.sub-type', none],
  [210210, 'card', 'charge[0].payment-method.sub-type', 'discover'],
  [210211, 'card', 'charge[0].payment-info', none],
  [210212, 'card', 'charge[0].payment-info', 'x'],
  [210213, 'card', 'charge[0].payment-info.installments', none],
  [210214, 'card', 'charge[0].payment-info.installments', 13],
  [210215, 'card', 'charge[0].payment-info.token', none],
  [210216, 'card', 'charge[0].payment-info.token', 1],
  [210218, 'card', 'charge[0].payment-info.save', 'yes'],
  [210220, 'card', 'charge[0].payment-info.code', 'short'],
  [210221, 'raw', 'charge[0].payment-info.credit-card', 'x'],
  [210222, 'raw', 'charge[0].payment-info.credit-card.number', '4111111111111112'],
  [210223, 'raw', 'charge[0].payment-info.credit-card.cvv', '12'],
  [210224, 'raw', 'charge[0].payment-info.credit-card.expiration-date', '12/2030'],
  [210302, 'card', 'payer', none],
  [210303, 'card', 'payer.name', none],
  [210304, 'card', 'payer.name', 'Maria'],
  [210305, 'card', 'payer.email', none],
  [210306, 'card', 'payer.email', 'maria'],
  [210307, 'card', 'payer.birth-date', none],
  [210308, 'card', 'payer.birth-date', '31/01/1990'],
  [210309, 'boleto', 'payer.ip', none],
  [210310, 'boleto', 'payer.ip', '999.0.0.1'],
  [210311, 'card', 'payer.phone-number', none],
  [210312, 'card', 'payer.phone-number', '41988887777'],
  [210313, 'card', 'payer.document', none],
  [210314, 'card', 'payer.document', 'x'],
  [210315, 'card', 'payer.document.type', none],
  [210316, 'card', 'payer.document.type', 'RG'],
  [210317, 'card', 'payer.document.number', none],
  [210318, 'card', 'payer.document.number', '12345678900'],
  [210319, 'physical', 'payer.address', none],
  [210320, 'physical', 'payer.address', 'x'],
  [210401, 'physical', 'shipping', none],
  [210402, 'physical', 'shipping', 'x'],
  [210403, 'physical', 'shipping.cost', none],
  [210404, 'physical', 'shipping.cost', -1],
  [210405, 'physical', 'shipping.address', none],
  [210406, 'physical', 'shipping.address', 'x'],
  ...addressFields('payer.address', 210321),
  ...addressFields('shipping.address', 210407),
  [210501, 'card', 'cart', none],
  [210502, 'card', 'cart', []],
  [210503, 'card', 'cart[0].description', none],
  [210504, 'card', 'cart[0].description', long(201)],
  [210506, 'card', 'cart[0].category', long(65)],
  [210507, 'card', 'cart[0].quantity', none],
  [210508, 'card', 'cart[0].quantity', 0],
  [210509, 'card', 'cart[0].unit-price', none],
  [210510, 'card', 'cart[0].unit-price', 0],
  [210511, 'card', 'cart[0].type', none],
  [210512, 'card', 'cart[0].type', 'virtual'],
]

/** One code for each part's absence and one for its wrong value, from the first code on. */
function addressFields(address: string, first: number): [number, 'physical', string, unknown][] {
  const wrong = [
    ['street', long(161)],
    ['number', long(21)],
    ['complement', long(41)],
    ['district', long(61)],
    ['state', 'S'],
    ['city', long(61)],
    ['country', 'BRA'],
    ['zip-code', '01304-001'],
  ] as const
  return wrong.flatMap(([part, value], i): [number, 'physical', string, unknown][] => {
    const invalid: [number, 'physical', string, unknown] = [
      first + 2 * i + 1,
      'physical',
      `${address}.${part}`,
      value,
    ]
    return part === 'complement'
      ? [invalid]
      : [[first + 2 * i, 'physical', `${address}.${part}`, none], invalid]
  })
}

const media = (text: string): string => text.replace('V', 'vnd.cofre.v2')

const HEADERS: readonly (readonly [number, Record<string, string | undefined>])[] = [
  [10001, { authorization: none }],
  [10002, { authorization: 'store-1' }],
  [10003, { authorization: `store-1:${'0'.repeat(64)}` }],
  [10201, { accept: none }],
  [10202, { accept: media('V+json; charset=UTF-8') }],
  [10203, { accept: media('application/V/+json; charset=UTF-8') }],
  [10204, { accept: media('application/V; charset=UTF-8') }],
  [10205, { accept: media('application/V+json') }],
  [10206, { accept: 'application/json; charset=UTF-8' }],
  [10207, { accept: media('application/V+xml; charset=UTF-8') }],
  [10208, { accept: media('application/V+json; charset=UTF-16') }],
  [10209, { accept: 'application/vnd.cofre.v1+json; charset=UTF-8' }],
  [10302, { 'content-type': 'text/plain' }],
]

const FIRST = '2026-11-01T00:00:00.0Z'
const BEFORE = '2026-10-01T00:00:00.0Z'
const LATER = '2027-01-01T00:00:00.0Z'

const TARGETS: readonly (readonly [number, string])[] = [
  [30301, '/card/bin/'],
  [30302, '/card/bin/000000'],
  [30303, '/card/installments?country=BR&amount=1.00&currency=BRL'],
  [30304, '/card/installments?brand=aura&country=BR&amount=1.00&currency=BRL'],
  [30305, '/card?bin=411111&amount=1.00&currency=BRL'],
  [30306, '/card?bin=411111&country=US&amount=1.00&currency=BRL'],
  [30307, '/card?bin=411111&country=BR&currency=BRL'],
  [30308, '/card?bin=411111&country=BR&amount=0&currency=BRL'],
  [30309, '/card?bin=411111&country=BR&amount=1.00'],
  [30310, '/card?bin=411111&country=BR&amount=1.00&currency=USD'],
  ...(['order', 'payment', 'last-status-change'] as const).flatMap((date, i) => {
    const [initial, final] = [`initial-${date}-date`, `final-${date}-date`]
    return [
      [22100 + 2 * i, `/transactions?${initial}=x`],
      [22101 + 2 * i, `/transactions?${initial}=${FIRST}&${final}=x`],
      [22106 + 2 * i, `/transactions?${final}=${FIRST}`],
      [22107 + 2 * i, `/transactions?${initial}=${FIRST}&${final}=${BEFORE}`],
      [22112 + i, `/transactions?${initial}=${FIRST}&${final}=${LATER}`],
    ] as const
  }),
  [22115, `/transactions?initial-order-date=${FIRST}&page=0`],
  [22116, `/transactions?initial-order-date=${FIRST}&max-page-results=11`],
  [22117, '/transactions'],
  [22118, `/transactions?initial-order-date=${FIRST}&status=complete`],
  [22119, `/transactions?initial-order-date=${FIRST}&status=PAID`],
  [22120, '/transactions/abc'],
]

describe('every code of the spec', () => {
  const reached = new Set<number>()
  let sandbox: TestGateway
  let test: TestGateway
  let nowMs = NOW_MS
  beforeAll(async () => {
    sandbox = await openTestGateway(TEST_SQLITE, { environment: 'sandbox' })
    test = await openTestGateway(TEST_SQLITE, {
      clock: { now: () => nowMs },
      sandbox: sandbox.gateway,
      purchaseLimits: {
        ...sandbox.parts.purchaseLimits,
        perPeriodMinor: undefined,
      },
    })
  })
  beforeEach(async () => {
    nowMs = NOW_MS
    test.answerCards(() => Promise.resolve(APPROVED))
    await test.gateway.saveMerchant({ ...MERCHANT, mayUseRawCards: true })
  })
  afterAll(async () => {
    await test.close()
    await sandbox.close()
  })

  const create = (body: unknown, options: SendOptions = {}) =>
    test.send('POST', '/transactions', { body, ...options })

  /** Checks the answer against the promise, and counts the code as reached. */
  const expectCode = (answer: TestAnswer, code: number, property?: string): void => {
    const errors = answer.json.errors as WireError[]
    for (const { message, doc_url } of errors) {
      expect(message).toMatch(/^\S[^{}]{12,}[.?)]$/)
      expect(doc_url).toMatch(/^https:\/\/sandbox\.example\.com\/docs\/errors#\d{5,6}$/)
    }
    const known = Object.values(errorCatalogue).filter((entry) => entry.code === code)
    expect(known.map(({ status }) => status)).toContain(answer.status)
    expect(errors).toContainEqual(
      expect.objectContaining({ code, ...(property !== undefined && { property }) }),
    )
    reached.add(code)
  }

  it.each(HEADERS)('%i: header', async (code, headers) => {
    expectCode(await create(BODIES.card(), { headers }), code)
  })

  it.each<[number, Record<string, string | undefined>]>([
    [10301, { 'content-type': none }],
    [10401, { 'accept-language': 'de-DE' }],
  ])('%i: header of a search', async (code, headers) => {
    expectCode(await test.send('GET', '/transactions/1', { headers }), code)
  })

  it.each(TARGETS)('%i: %s', async (code, target) => {
    expectCode(await test.send('GET', target), code)
  })

  it.each(FIELDS)('%i: %s, %s is %j', async (code, body, path, value) => {
    expectCode(await create(spoil(BODIES[body](), path, value)), code, path)
  })

  it('takes every body before it is spoilt', async () => {
    for (const body of Object.values(BODIES)) expect((await create(body())).status).toBe(201)
  })

  it('210005: both a token and a code', async () => {
    const code = 'A'.repeat(32)
    expectCode(await create(cardRequest(nextReference(), { code })), 210005)
  })

  it('210104: a reference that was used', async () => {
    const body = BODIES.boleto()
    await create(body)
    expectCode(await create(body), 210104, 'transaction.reference')
  })

  it('210225: a sum that is not the cart’s', async () => {
    expectCode(await create(spoil(BODIES.card(), 'charge[0].amount', 99.99)), 210225, 'charge')
  })

  it('210601: a raw card of a store that may not send one', async () => {
    await test.gateway.saveMerchant(MERCHANT)
    expectCode(await create(BODIES.raw()), 210601)
  })

  it('210601: a boleto or a wallet for which no provider opens charges', async () => {
    const rails = { ...TEST_RAILS, opens: () => false }
    const without = await openTestGateway(TEST_SQLITE, { rails })
    for (const body of [BODIES.boleto(), railRequest(nextReference(), 'paypal')]) {
      const answer = await without.send('POST', '/transactions', { body })
      expectCode(answer, 210601)
    }
    const card = await without.send('POST', '/transactions', { body: BODIES.card() })
    expect(card.status).toBe(201)
    await without.close()
  })

  it('210602: more than the limit', async () => {
    const body = railRequest(nextReference(), 'pix', { amount: 10_000.01 })
    expectCode(await create(body), 210602)
  })

  it.each([
    [210603, 0],
    [210604, 1],
  ])('%i: a payer blocked by %i', async (code, byProvider) => {
    const payer = `blocked-${byProvider}@example.com`
    await test.database.transact((trx) =>
      trx.insertInto('blocked_payers').values({ payer, by_provider: byProvider }).execute(),
    )
    expectCode(await create(spoil(BODIES.boleto(), 'payer.email', payer)), code)
  })

  it.each([
    ['token_invalid', 210216],
    ['brand_mismatch', 210210],
    ['card_invalid', 210221],
    ['code_not_found', 210605],
  ] as const)('the vault’s refusal %s: %i', async (reason, code) => {
    test.answerCards(() => Promise.resolve({ kind: 'refused', reason }))
    expectCode(await create(BODIES.card()), code)
  })

  describe('of a refund', () => {
    const paid = async (body: object = BODIES.card()): Promise<string> => {
      const { json } = await create(body)
      const { code } = json.transaction as { code: string }
      return code
    }
    const refund = (code: string, over: object = {}, options: SendOptions = {}) =>
      test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': 'https://shop.example/n', ...over },
        ...options,
      })

    it('20604: a store that the sandbox does not know', async () => {
      const merchant = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(merchant)
      expectCode(await refund('1', { 'test-mode': 1 }, { merchant }), 20604)
    })

    it('20605: a method that takes nothing back', async () => {
      expectCode(await refund(await paid(railRequest(nextReference(), 'paypal'))), 20605)
    })

    it('20607: a second one', async () => {
      const code = await paid()
      await refund(code)
      expectCode(await refund(code), 20607)
    })

    it('20608: more than is left', async () => {
      const code = await paid()
      await refund(code, { amount: 60 })
      await test.database.transact((trx) =>
        trx.updateTable('refunds').set({ status: 'PROCESSED' }).execute(),
      )
      expectCode(await refund(code, { amount: 50 }), 20608)
    })

    it('20609: more than the transaction', async () => {
      expectCode(await refund(await paid(), { amount: 101 }), 20609)
    })

    it.each([
      [20612, 'none'],
      [20613, 'reseller'],
      [20622, 'full'],
    ] as const)('%i: a store that refunds %s', async (code, refunds) => {
      const transaction = await paid()
      await test.gateway.saveMerchant({ ...MERCHANT, refunds })
      expectCode(await refund(transaction, { amount: 1 }), code)
    })

    it('20614: an unknown transaction', async () => {
      expectCode(await refund('1'), 20614)
    })

    it('20615: a transaction that is not paid', async () => {
      expectCode(await refund(await paid(BODIES.boleto())), 20615)
    })

    it('20621: too late', async () => {
      const code = await paid()
      nowMs += 361 * DAY_MS
      expectCode(await refund(code), 20621)
    })

    it('20698: a wrong body', async () => {
      expectCode(await refund('x'), 20698, 'transaction-id')
    })
  })

  it('20601 and 30101: our own failure', async () => {
    const broken = await openTestGateway(TEST_SQLITE)
    await broken.close()
    expectCode(await broken.send('GET', '/transactions/1'), 30101)
    expectCode(await broken.send('POST', '/refunds', { body: {} }), 20601)
  })

  it('is reached, or is in the list of those that cannot be', () => {
    const section7 = Object.values(errorCatalogue)
      .map(({ code }) => code)
      .filter((code) => code < 90_000 || code > 99_999)
    const missed = section7.filter((code) => !reached.has(code))
    console.log(`${reached.size} codes reached over HTTP: ${inRanges([...reached])}`)
    expect(new Set(missed)).toEqual(
      new Set(NEVER_RETURNED.map((name) => errorCatalogue[name].code)),
    )
    expect(section7).toEqual(expect.arrayContaining([...reached]))
  })
})

/** `10001-10003, 10201`. */
function inRanges(codes: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const code of codes.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] + 1 === code) last[1] = code
    else ranges.push([code, code])
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ')
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VISA } from '../test/cards.js'
import { FakeVault, status } from '../test/fake-vault.js'
import { until } from '../test/until.js'
import { PaymentMethod, type PaymentMethodOptions } from './index.js'

let vault: FakeVault

beforeEach(() => {
  vault = new FakeVault()
  vi.stubGlobal('fetch', vault.fetch)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = (options: PaymentMethodOptions = {}): PaymentMethod =>
  new PaymentMethod({ baseUrl: vault.baseUrl, ...options })

/** The view of a page without types. */
const untyped = (
  paymentMethod: PaymentMethod,
): { getDirectToken(card: unknown, callback: unknown): boolean } => paymentMethod

/** The arguments of the only callback. */
const calledBack = (paymentMethod: PaymentMethod, card: unknown): Promise<unknown[]> =>
  new Promise((resolve) => {
    untyped(paymentMethod).getDirectToken(card, (...answer: unknown[]) => {
      resolve(answer)
    })
  })

describe('getDirectToken', () => {
  it('calls back with a token of the card, which is in the vault by then', async () => {
    const [err, token] = await calledBack(open(), VISA)
    expect(err).toBeNull()
    expect(vault.cards.get(String(token))).toEqual({
      number: '4111111111111111',
      cvv: '123',
      month: '12',
      year: '2040',
    })
  })

  it('sends requests that need no preflight and carry no cookies', async () => {
    await calledBack(open(), VISA)
    for (const { init, body } of vault.requests) {
      const request = new Request(vault.baseUrl, { ...init, signal: null })
      expect(request.method).toBe('POST')
      expect(request.credentials).toBe('omit')
      expect([...request.headers]).toEqual([['content-type', 'text/plain;charset=UTF-8']])
      // A shorter number can occur in an encrypted card by chance.
      expect(body).not.toContain('4111111111111111')
    }
  })

  it('binds the token to the given store', async () => {
    const [, token] = await calledBack(open({ store: '5F7A' }), VISA)
    expect(vault.cards.get(String(token))?.store).toBe('5F7A')
  })

  it('calls back later, once, even when the answer is known at once', async () => {
    const callback = vi.fn()
    expect(untyped(open()).getDirectToken(null, callback)).toBe(true)
    expect(callback).not.toHaveBeenCalled()
    await until(() => callback.mock.calls.length > 0)
    expect(callback.mock.calls).toEqual([['creditcard_object_malformed']])
  })

  it('leaves what the callback throws to the page, and does not call it again', async () => {
    const thrown: unknown[] = []
    vi.stubGlobal('queueMicrotask', (task: () => void) => {
      try {
        task()
      } catch (error) {
        thrown.push(error)
      }
    })
    const mistake = new Error('a mistake of the page')
    const callback = vi.fn(() => {
      throw mistake
    })
    open().getDirectToken(VISA, callback)
    await until(() => thrown.length > 0)
    await until(() => vault.requestsTo('/sessions').length === 2)
    expect(thrown).toEqual([mistake])
    expect(callback).toHaveBeenCalledTimes(1)
  })

  it.each([undefined, null, 'callback', {}])('refuses %j as a callback', (callback) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(untyped(open()).getDirectToken(VISA, callback)).toBe(false)
    expect(log).toHaveBeenCalledExactlyOnceWith('callback_must_be_a_function')
  })

  it.each([
    ['creditcard_object_malformed', 'a string'],
    ['creditcard_invalid_object', { ...VISA, cvv: undefined }],
    ['creditcard_invalid_fields', { ...VISA, cvv: '1' }],
  ])('calls back with %s and sends nothing', async (code, card) => {
    expect(await calledBack(open(), card)).toEqual([code])
    expect(vault.requestsTo('/direct-tokens')).toEqual([])
  })

  it('answers overlapping calls with a token each, of a session each', async () => {
    const paymentMethod = open()
    const numbers = ['4111111111111111', '5555555555554444', '378282246310005', '6062826786276634']
    const answers = await Promise.all(
      numbers.map((creditCard) =>
        calledBack(paymentMethod, {
          ...VISA,
          creditCard,
          cvv: creditCard.startsWith('37') ? '1234' : '123',
        }),
      ),
    )
    expect(answers.map(([err]) => err)).toEqual([null, null, null, null])
    const deposited = answers.map(([, token]) => vault.cards.get(String(token))?.number)
    expect(deposited).toEqual(numbers)
    expect(vault.requestsTo('/direct-tokens')).toHaveLength(4)
  })
})

describe('a polluted Object.prototype', () => {
  const pollution = { baseUrl: 'https://elsewhere.test', store: 'elsewhere', sessionTimeout: 0 }

  beforeEach(() => {
    PaymentMethod.baseUrl = vault.baseUrl
    // Not enumerable: other code in this process iterates over objects.
    for (const [name, value] of Object.entries(pollution))
      Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
  })
  afterEach(() => {
    PaymentMethod.baseUrl = ''
    for (const name of Object.keys(pollution)) Reflect.deleteProperty(Object.prototype, name)
  })

  it.each([undefined, {}])('sends no card elsewhere when the options are %j', async (options) => {
    const token = await new PaymentMethod(options).createDirectToken(VISA)
    expect(Object.keys(vault.cards.get(token) ?? {})).toEqual(['number', 'cvv', 'month', 'year'])
  })
})

describe('createDirectToken', () => {
  it('resolves with a token', async () => {
    const token = await open().createDirectToken(VISA)
    expect(vault.cards.has(token)).toBe(true)
  })

  it('rejects with the code and every wrong field', async () => {
    const card = { ...VISA, creditCard: '4', cvv: '' }
    await expect(open().createDirectToken(card)).rejects.toMatchObject({
      message: 'creditcard_invalid_fields',
      code: 'creditcard_invalid_fields',
      fields: ['number', 'cvv'],
    })
  })

  it('rejects with credit_card_internal_error when the store id is too long', async () => {
    const paymentMethod = open({ store: 'x'.repeat(150) })
    await expect(paymentMethod.createDirectToken(VISA)).rejects.toMatchObject({
      code: 'credit_card_internal_error',
      fields: [],
    })
  })
})

describe('the answer of the vault to a deposit', () => {
  it('makes the library open another session and encrypt again when the session is lost', async () => {
    const paymentMethod = open()
    await until(() => paymentMethod.isReady())
    vault.forgetSessions()
    const token = await paymentMethod.createDirectToken(VISA)
    expect(vault.cards.has(token)).toBe(true)
    const sent = vault.requestsTo('/direct-tokens').map(({ body }) => body)
    expect(sent).toHaveLength(2)
    expect(sent[1]).toBe(token)
    expect(sent[0]).not.toBe(token)
  })

  it('is believed when a second session is lost at once', async () => {
    vault.depositFaults.push(status(410), status(410))
    await expect(open().createDirectToken(VISA)).rejects.toMatchObject({
      code: 'credit_card_internal_error',
    })
    expect(vault.requestsTo('/direct-tokens')).toHaveLength(2)
  })

  it.each(['network', 'lost-answer'] as const)(
    'is requested again with the same token after %s',
    async (fault) => {
      vault.depositFaults.push(fault)
      const token = await open().createDirectToken(VISA)
      expect(vault.requestsTo('/direct-tokens').map(({ body }) => body)).toEqual([token, token])
      expect(vault.cards.size).toBe(1)
    },
  )

  it.each([429, 500, 503])('is requested again after a passing %i', async (code) => {
    vault.depositFaults.push(status(code))
    const token = await open().createDirectToken(VISA)
    expect(vault.cards.has(token)).toBe(true)
  })

  it.each([
    ['no network, twice', ['network', 'network'] as const, 'credit_card_internal_error', 2],
    ['429, twice', [status(429), status(429)], 'credit_card_internal_error', 2],
    ['503, twice', [status(503), status(503)], 'credit_card_internal_error', 2],
    ['400', [status(400)], 'credit_card_internal_error', 1],
    ['a captive portal', [status(200)], 'credit_card_internal_error', 1],
    ['a refused card', [status(422)], 'creditcard_invalid_fields', 1],
  ])('%s: %s %s after %i requests', async (_name, faults, code, requests) => {
    vault.depositFaults.push(...faults)
    await expect(open().createDirectToken(VISA)).rejects.toMatchObject({ code, fields: [] })
    expect(vault.requestsTo('/direct-tokens')).toHaveLength(requests)
  })
})

describe('hints while the shopper types', () => {
  it.each([
    ['4', 'visa'],
    ['4011 78', 'elo'],
    ['5555-55', 'mastercard'],
    ['3782', 'amex'],
    [606282, 'hipercard'],
    ['9', null],
    ['', null],
  ])('brandOf(%j) is %j', (number, brand) => {
    expect(open().brandOf(number)).toBe(brand)
  })

  it('validate names what is still missing', () => {
    expect(open().validate({ creditCard: VISA.creditCard, expiration: { month: '5' } })).toEqual([
      'cvv',
      'year',
    ])
    expect(open().validate(VISA)).toEqual([])
  })
})

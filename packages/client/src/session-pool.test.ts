import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VISA } from '../test/cards.js'
import { FakeVault, status } from '../test/fake-vault.js'
import { until } from '../test/until.js'
import { PaymentMethod } from './payment-method.js'

const MINUTE_MS = 60_000

let vault: FakeVault

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  vault = new FakeVault()
  vi.stubGlobal('fetch', vault.fetch)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = (): PaymentMethod => new PaymentMethod({ baseUrl: vault.baseUrl })
const sessionsOpened = (): number => vault.requestsTo('/sessions').length

/** A response whose connection breaks before its end. */
const brokenOff = (): Response =>
  new Response(
    new ReadableStream({
      start: (body) => {
        body.error(new TypeError('network error'))
      },
    }),
    { status: 201 },
  )

/** The code of a failure, or the place of the token's card. */
async function outcomeOf(paymentMethod: PaymentMethod): Promise<string> {
  return paymentMethod.createDirectToken(VISA).then(
    (token) => (vault.cards.has(token) ? 'stored' : 'not stored'),
    (error: unknown) => (error instanceof Error ? error.message : 'no error'),
  )
}

describe('a session', () => {
  it('is opened when the instance is made', async () => {
    const paymentMethod = open()
    expect(sessionsOpened()).toBe(1)
    expect(vault.requests[0]?.body).toBe('')
    expect(paymentMethod.isReady()).toBe(false)
    await until(() => paymentMethod.isReady())
  })

  it('is shared by the instances of a page, whatever slashes end their base URL', async () => {
    const first = open()
    const second = new PaymentMethod({ baseUrl: vault.baseUrl + '//' })
    await until(() => first.isReady() && second.isReady())
    expect(sessionsOpened()).toBe(1)
  })

  it('has a key pair of the page for one card alone', async () => {
    const paymentMethod = open()
    const tokens = await Promise.all([1, 2, 3].map(() => paymentMethod.createDirectToken(VISA)))
    const epks = tokens.map((token) => decodeProtectedHeader(token).epk)
    expect(new Set(epks.map((epk) => JSON.stringify(epk))).size).toBe(3)
  })

  it('is followed by the next one after a deposit, once the page has its token', async () => {
    const paymentMethod = open()
    expect(await outcomeOf(paymentMethod)).toBe('stored')
    expect(sessionsOpened()).toBe(1)
    await vi.advanceTimersByTimeAsync(0)
    await until(() => paymentMethod.isReady())
    expect(sessionsOpened()).toBe(2)
    expect(await outcomeOf(paymentMethod)).toBe('stored')
  })

  it('is followed by the next one after a refused deposit', async () => {
    const paymentMethod = open()
    vault.depositFaults.push(status(422))
    expect(await outcomeOf(paymentMethod)).toBe('creditcard_invalid_fields')
    await vi.advanceTimersByTimeAsync(0)
    await until(() => paymentMethod.isReady())
    expect(sessionsOpened()).toBe(2)
  })

  it('is renewed before it expires, as long as the page stays open', async () => {
    vi.stubGlobal('document', { hidden: false })
    const paymentMethod = open()
    await until(() => paymentMethod.isReady())
    for (const renewals of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(13 * MINUTE_MS)
      await until(() => paymentMethod.isReady())
      expect(sessionsOpened()).toBe(1 + renewals)
    }
  })

  it('is not renewed for a hidden page, but for the shopper who comes back', async () => {
    vi.stubGlobal('document', { hidden: true })
    const paymentMethod = open()
    await until(() => paymentMethod.isReady())
    await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
    expect(sessionsOpened()).toBe(1)
    expect(paymentMethod.isReady()).toBe(false)
    expect(await outcomeOf(paymentMethod)).toBe('stored')
    expect(vault.requestsTo('/direct-tokens')).toHaveLength(1)
  })

  it('is replaced when it aged while no timer could run', async () => {
    const paymentMethod = open()
    await until(() => paymentMethod.isReady())
    vi.setSystemTime(Date.now() + 14 * MINUTE_MS)
    expect(await outcomeOf(paymentMethod)).toBe('stored')
    expect(vault.requestsTo('/direct-tokens')).toHaveLength(1)
  })
})

describe('a session that cannot be opened', () => {
  it.each([
    ['no network', 'network' as const, 'session_network_error'],
    ['an answer that breaks off', brokenOff(), 'session_network_error'],
    ['a server error', status(503), 'session_create_error'],
    ['an answer that is not JSON', new Response('<html>', { status: 201 }), 'session_create_error'],
    ['an answer without a session', new Response('null', { status: 201 }), 'session_create_error'],
    [
      'a key that is none',
      new Response(
        '{"id":"a","expires-in":900,"public-key":{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}}',
        {
          status: 201,
        },
      ),
      'session_create_error',
    ],
    ['too many requests', status(429), 'session_create_error'],
  ])('because of %s has its code, and the next call tries again', async (_name, fault, code) => {
    vault.sessionFaults.push(fault)
    const paymentMethod = open()
    expect(await outcomeOf(paymentMethod)).toBe(code)
    expect(paymentMethod.isReady()).toBe(false)
    expect(await outcomeOf(paymentMethod)).toBe('stored')
  })

  it.each([0, -1, 0.001, 1e12, Number.NaN])(
    'because it would live for %d s is reported, and not renewed without end',
    async (lifetimeSeconds) => {
      vi.stubGlobal('document', { hidden: false })
      vault.lifetimeSeconds = lifetimeSeconds
      expect(await outcomeOf(open())).toBe('session_create_error')
      await vi.advanceTimersByTimeAsync(MINUTE_MS)
      expect(sessionsOpened()).toBe(1)
    },
  )

  it('in the background is opened again by the call', async () => {
    vault.sessionFaults.push('network')
    const paymentMethod = open()
    await until(() => sessionsOpened() === 1)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(await outcomeOf(paymentMethod)).toBe('stored')
  })

  it('within three seconds is session_creating_in_progress', async () => {
    vault.sessionFaults.push('silence')
    const outcome = outcomeOf(open())
    await vi.advanceTimersByTimeAsync(2_999)
    expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toBe('session_creating_in_progress')
  })

  it('within the time that the page sets is session_creating_in_progress', async () => {
    vault.sessionFaults.push('silence')
    const outcome = outcomeOf(new PaymentMethod({ baseUrl: vault.baseUrl, sessionTimeout: 50 }))
    await vi.advanceTimersByTimeAsync(50)
    expect(await outcome).toBe('session_creating_in_progress')
  })

  it('within ten seconds is given up, and the next call opens another', async () => {
    vault.sessionFaults.push('silence')
    const paymentMethod = open()
    const first = outcomeOf(paymentMethod)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await first).toBe('session_creating_in_progress')
    await vi.advanceTimersByTimeAsync(7_000)
    expect(await outcomeOf(paymentMethod)).toBe('stored')
    await vi.advanceTimersByTimeAsync(0)
    expect(sessionsOpened()).toBe(3)
  })

  it('in time for one call serves the next', async () => {
    let answer: () => void = () => undefined
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (url.endsWith('/sessions') && sessionsOpened() === 0)
        await new Promise<void>((resolve) => (answer = resolve))
      return vault.fetch(url, init)
    })
    const paymentMethod = open()
    const first = outcomeOf(paymentMethod)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await first).toBe('session_creating_in_progress')
    answer()
    await until(() => paymentMethod.isReady())
    expect(sessionsOpened()).toBe(1)
    expect(await outcomeOf(paymentMethod)).toBe('stored')
  })

  it('on a page without HTTPS, and so without WebCrypto, names that on the console', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.stubGlobal('crypto', {})
    expect(await outcomeOf(open())).toBe('session_create_error')
    expect(log).toHaveBeenCalledWith('session_create_error: no HTTPS')
    expect(vault.requests).toEqual([])
  })

  it('for want of a base URL names that on the console', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await outcomeOf(new PaymentMethod())).toBe('session_create_error')
    expect(log).toHaveBeenCalledWith('session_create_error: no baseUrl')
  })
})

it('gives up a deposit that is never answered', async () => {
  vault.depositFaults.push('silence', 'silence')
  const outcome = outcomeOf(open())
  await until(() => vault.requestsTo('/direct-tokens').length === 1)
  await vi.advanceTimersByTimeAsync(10_500)
  expect(vault.requestsTo('/direct-tokens')).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await outcome).toBe('credit_card_internal_error')
})

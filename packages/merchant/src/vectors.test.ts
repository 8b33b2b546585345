import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { InterestBody, LinkWithTriesBody, SearchElement } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import type { Machine } from './machine.js'
import { channelOf, createMerchantClient } from './merchant-client.js'
import { MerchantError, isOutcomeUnknown, readErrors } from './merchant-error.js'
import { type NotificationHeaders, verifyNotification } from './notification-signature.js'
import { signMessage, signRequest } from './request-signature.js'
import type { CreatePaymentLinkRequest, CreateTransactionRequest } from './request.js'

interface Signed {
  readonly name: string
  readonly storeId: string
  readonly secret: string
  readonly body: string | null
}

interface Exchange {
  readonly name: string
  readonly answers: readonly {
    readonly failure?: string
    readonly status?: number
    readonly headers?: Record<string, string>
    readonly body?: string
  }[]
  readonly retryBudgetSeconds: number
  /** Between the attempts, in seconds. */
  readonly waits: readonly number[]
  readonly outcome: {
    readonly created?: string
    readonly refused?: { readonly status: number; readonly code: number | null }
    readonly unknown?: {
      readonly reason: string
      readonly status: number | null
      /** The error that the shop's own function threw. */
      readonly cause?: string
    }
    /** Thrown by the shop's own function that reads the secret. */
    readonly thrown?: string
  }
}

/** The same headers in the forms of servers, functions and frameworks. */
function shapesOf(
  sent: Record<string, string>,
): readonly (readonly [shape: string, headers: NotificationHeaders])[] {
  const lower = Object.entries(sent)
  const titled = lower.map(([name, value]): [string, string] => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ])
  const listed = titled.map(([name, value]) => [name, [value]])
  const byName = new Map(lower)
  return [
    ['lower case', sent],
    ['title case', Object.fromEntries(titled)],
    ['upper case', Object.fromEntries(lower.map(([name, value]) => [name.toUpperCase(), value]))],
    ['lists of values', Object.fromEntries(listed) as Record<string, readonly string[]>],
    ['Headers', new Headers(sent)],
    ['a Map', new Map(titled)],
    ['pairs', titled],
    ['rawHeaders', titled.flat()],
    ['a request with get', { get: (name: string) => byName.get(name.toLowerCase()) }],
  ]
}

/** The common behaviour of the clients in all languages. */
interface Vectors {
  readonly origins: {
    readonly accepted: readonly (readonly [string, string])[]
    readonly refused: readonly string[]
  }
  readonly order: CreateTransactionRequest
  readonly references: readonly { readonly idempotencyKey: string; readonly reference: string }[]
  readonly refundParts: {
    readonly reference: string
    readonly idempotencyKeys: readonly string[]
  }
  readonly requestSignatures: readonly (Signed & {
    readonly target: string
    readonly authorization: string
  })[]
  readonly messageSignatures: readonly (Signed & {
    readonly method: string
    readonly uri: string
    readonly idempotencyKey: string | null
    readonly created: number
    readonly nonce: string | null
    readonly headers: Record<string, string>
  })[]
  readonly notifications: readonly {
    readonly name: string
    readonly headers: Record<string, string>
    readonly body: string
    readonly secret: string
    readonly now: number
    readonly toleranceSeconds?: number
    readonly notification: object | null
  }[]
  readonly errors: readonly {
    readonly name: string
    readonly body: string
    readonly errors: unknown
  }[]
  readonly exchanges: readonly Exchange[]
  readonly pages: readonly {
    readonly name: string
    readonly bodies: readonly object[]
    readonly codes: readonly string[]
    /** The lines of those that are boletos, once issued. */
    readonly lines: readonly (string | null)[]
  }[]
  readonly paymentLinks: {
    readonly request: CreatePaymentLinkRequest & { readonly 'expires-at': string }
    readonly found: LinkWithTriesBody
    readonly revoked: object
    readonly pages: readonly object[]
    readonly codes: readonly string[]
  }
  readonly interest: { readonly request: object; readonly found: InterestBody }
}

const FILE = path.join(import.meta.dirname, '../../../sdks/vectors.json')
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors
const SIGNED_IN = { baseUrl: 'https://api.shop.example', storeId: 'store-1', secret: 'a secret' }

describe('the vectors of all languages', () => {
  it.each(vectors.origins.accepted)('take %s for the origin %s', (baseUrl, origin) => {
    expect(channelOf({ ...SIGNED_IN, baseUrl }).signedOrigin).toBe(origin)
  })

  it.each(vectors.origins.refused)('take %j for no origin', (baseUrl) => {
    expect(() => channelOf({ ...SIGNED_IN, baseUrl })).toThrow(TypeError)
  })

  it.each(vectors.requestSignatures)('sign $name by the specification', (vector) => {
    const hmac = signRequest(vector.secret, vector.target, vector.body ?? undefined)
    expect(`${vector.storeId}:${hmac}`).toBe(vector.authorization)
  })

  it.each(vectors.messageSignatures)('sign $name by RFC 9421', (vector) => {
    const { method, uri: targetUri, created: createdSeconds, storeId: keyid } = vector
    const [body, nonce] = [vector.body ?? undefined, vector.nonce ?? undefined]
    const idempotencyKey = vector.idempotencyKey ?? undefined
    const unsigned = { method, targetUri, body, idempotencyKey }
    const headers = signMessage(vector.secret, unsigned, { createdSeconds, keyid, nonce })
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    expect(Object.fromEntries(lowered)).toEqual(vector.headers)
  })

  it.each(vectors.notifications)('read the notification: $name', (vector) => {
    const { now, notification, toleranceSeconds: tolerance = 300, ...signed } = vector
    const judged = { now: new Date(now * 1000), toleranceMs: tolerance * 1000 }
    for (const [shape, headers] of shapesOf(signed.headers)) {
      const read = verifyNotification({ ...signed, ...judged, headers })
      if (notification === null) expect([shape, read]).toEqual([shape, undefined])
      else expect([shape, read]).toMatchObject([shape, notification])
    }
  })

  it.each(vectors.errors)('read the errors of $name', ({ body, errors }) => {
    const json = body.startsWith('{') ? (JSON.parse(body) as unknown) : undefined
    expect(readErrors(json)).toEqual(errors)
  })

  it.each(vectors.exchanges)('attempt again: $name', async (vector) => {
    const { answers, outcome, retryBudgetSeconds, waits } = vector
    const { machine, waited } = machineOfTest()
    const sent: RequestInit[] = []
    const client = createMerchantClient({
      ...SIGNED_IN,
      machine,
      retryBudgetMs: retryBudgetSeconds * 1000,
      secret() {
        if (answers[sent.length]?.failure === 'secret') throw new Error('no secret')
        return SIGNED_IN.secret
      },
      fetch(_, init = {}) {
        const answer = answers[sent.push(init) - 1]
        if (answer === undefined) return Promise.reject(new Error('there is no such attempt'))
        return answer.failure === undefined
          ? Promise.resolve(new Response(answer.body, answer))
          : Promise.reject(failureOf(answer.failure))
      },
    })
    const created = await client.createTransaction(vectors.order).then(
      ({ transaction }) => transaction.code,
      (error: unknown) => error,
    )
    if (outcome.created !== undefined) expect(created).toBe(outcome.created)
    else expect(summaryOf(created)).toEqual(outcome)
    expect(waited).toEqual(waits)
    expect(sent).toHaveLength(answers.filter(({ failure }) => failure !== 'secret').length)
    const headers = sent.map((init) => new Headers(init.headers))
    expect(new Set(headers.map((each) => each.get('Idempotency-Key'))).size).toBe(sent.length && 1)
    expect(new Set(headers.map((each) => each.get('Signature'))).size).toBe(sent.length)
  })

  it.each(vectors.references)(
    'name what has no reference by the key $idempotencyKey',
    async (vector) => {
      const { client, bodies } = clientWithoutAnswers()
      const { reference, ...transaction } = vectors.order.transaction
      const unnamed = { ...vectors.order, transaction }
      const refund = { 'transaction-id': '1', 'notify-url': 'https://shop.example/notifications' }
      const failed = [
        client.createTransaction(unnamed, vector),
        client.createRefund(refund, vector),
      ]
      for (const failure of await Promise.allSettled(failed))
        expect(failure).toMatchObject({ reason: vector })
      const named = { reference: vector.reference }
      expect(bodies).toMatchObject([{ transaction: { ...transaction, ...named } }, named])
      expect(named).not.toEqual({ reference })
    },
  )

  it.each(vectors.pages)('search $name', async ({ bodies, codes, lines }) => {
    let asked = 0
    const fetch = () => Promise.resolve(Response.json(bodies[asked++]))
    const client = createMerchantClient({ ...SIGNED_IN, fetch })
    const found: SearchElement[] = []
    for await (const transaction of client.allTransactions({ status: 'COMPLETE' }))
      found.push(transaction)
    expect(found.map((one) => one['transaction-code'])).toEqual(codes)
    expect(found.map((one) => one['digitable-line'] ?? null)).toEqual(lines)
    expect(asked).toBe(bodies.length)
  })
})

describe('payment links', () => {
  const { codes, found, pages, request, revoked } = vectors.paymentLinks
  /** A client that gets these answers, and the requests that it has sent. */
  const clientOf = (...answers: readonly object[]) => {
    const asked: { readonly target: string; readonly init: RequestInit }[] = []
    const fetch = (url: unknown, init: RequestInit = {}) => {
      asked.push({ target: String(url).replace(SIGNED_IN.baseUrl, ''), init })
      return Promise.resolve(Response.json(answers[asked.length - 1]))
    }
    return { client: createMerchantClient({ ...SIGNED_IN, fetch }), asked }
  }

  const bodyOf = ({ body }: RequestInit = {}): unknown => JSON.parse(body as string)

  it('are made with what the API wants', async () => {
    const { client, asked } = clientOf(found)
    const expiresAt = new Date(request['expires-at'])
    const made = await client.createPaymentLink({ ...request, 'expires-at': expiresAt })
    expect(made.url).toBe(found['payment-link'].url)
    expect(asked).toMatchObject([{ target: '/payment-links', init: { method: 'POST' } }])
    expect(bodyOf(asked[0]?.init)).toEqual({
      ...request,
      'expires-at': expiresAt.toISOString(),
    })
  })

  it('have the reference of their key, where the shop has named none', async () => {
    const { client, asked } = clientOf(found)
    const [{ idempotencyKey, reference }] = vectors.references as [Vectors['references'][number]]
    // Without an address, the store's own applies.
    const { amount, description, methods } = request
    const unnamed = { amount, description, methods }
    await client.createPaymentLink(unnamed, { idempotencyKey })
    expect(bodyOf(asked[0]?.init)).toEqual({ ...unnamed, reference })
  })

  it('are found with their tries, listed page by page, and revoked', async () => {
    const [code = ''] = codes
    const { client, asked } = clientOf(found, ...pages, ...pages, revoked)
    expect(await client.findPaymentLink(code)).toEqual(found['payment-link'])
    const listed: string[] = []
    for await (const link of client.allPaymentLinks({ status: 'PAYABLE' })) listed.push(link.code)
    expect(listed).toEqual(codes)
    expect(await client.listPaymentLinks()).toEqual(pages[0])
    expect((await client.listPaymentLinks({ page: 2 })).metadata['current-page']).toBe(2)
    expect(await client.revokePaymentLink(code)).toMatchObject({ status: 'REVOKED' })
    expect(asked.map(({ target }) => target)).toEqual([
      `/payment-links/${code}`,
      '/payment-links?status=PAYABLE&page=1',
      '/payment-links?status=PAYABLE&page=2',
      '/payment-links',
      '/payment-links?page=2',
      `/payment-links/${code}/revocations`,
    ])
    expect(asked.at(-1)?.init).toMatchObject({ method: 'POST', body: '{}' })
  })
})

it('interest is read, and changed from a time on', async () => {
  const { request, found } = vectors.interest
  const asked: [unknown, RequestInit][] = []
  const client = createMerchantClient({
    ...SIGNED_IN,
    fetch(url, init = {}) {
      asked.push([url, init])
      return Promise.resolve(Response.json(found))
    },
  })
  expect(await client.findInterest()).toEqual(found.interest)
  const from = new Date('2026-12-01T12:00:00Z')
  const change = { brand: 'visa', 'monthly-rate-percent': 2.49, 'interest-free': 3, from }
  expect(await client.changeInterest(change)).toEqual(found.interest)
  const targets = ['/interest', '/interest/changes']
  expect(asked.map(([url]) => url)).toEqual(targets.map((at) => SIGNED_IN.baseUrl + at))
  const sent = JSON.parse(asked[1]?.[1].body as string) as object
  expect(sent).toEqual({ ...request, from: from.toISOString() })
})

it('two refunds of one reference are two requests, each with its key', async () => {
  const { reference, idempotencyKeys } = vectors.refundParts
  const sent: RequestInit[] = []
  const client = createMerchantClient({
    ...SIGNED_IN,
    fetch(_, init = {}) {
      sent.push(init)
      return Promise.resolve(Response.json({ 'refund-id': '1' }))
    },
  })
  const part = { 'transaction-id': '1', 'notify-url': 'https://shop.example/notifications' }
  for (const idempotencyKey of idempotencyKeys)
    await client.createRefund({ ...part, amount: 10, reference }, { idempotencyKey })
  expect(sent.map(({ headers }) => new Headers(headers).get('idempotency-key'))).toEqual(
    idempotencyKeys,
  )
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
})

describe('a creation without a reference', () => {
  it('is the same again with the key of its error', async () => {
    const { client, bodies } = clientWithoutAnswers()
    const refund = { 'transaction-id': '1', 'notify-url': 'https://shop.example/notifications' }
    const first: unknown = await client.createRefund(refund).catch((error: unknown) => error)
    if (!isOutcomeUnknown(first)) throw first
    const again: unknown = await client.createRefund(refund, first).catch((error: unknown) => error)
    const { reference, idempotencyKey } = first
    expect(again).toMatchObject({ reference, idempotencyKey })
    expect(bodies).toEqual([
      { ...refund, reference },
      { ...refund, reference },
    ])
  })
})

function clientWithoutAnswers() {
  const bodies: unknown[] = []
  const client = createMerchantClient({
    ...SIGNED_IN,
    retryBudgetMs: 0,
    fetch(_, init) {
      bodies.push(JSON.parse(init?.body as string))
      return Promise.reject(new Error('no answer'))
    },
  })
  return { client, bodies }
}

/**
 * A machine whose sleep ends immediately; its draws begin with 0, and its names and nonces differ.
 */
function machineOfTest() {
  let elapsedMs = 0
  let draws = 0
  const waited: number[] = []
  const machine: Machine = {
    nowMs: () => 1_790_000_000_000,
    elapsedMs: () => elapsedMs,
    sleep(milliseconds) {
      elapsedMs += milliseconds
      waited.push(milliseconds / 1000)
      return Promise.resolve()
    },
    randomBytes: (length) => new Uint8Array(length).fill(length === 1 ? 0 : ++draws),
  }
  return { machine, waited }
}

function failureOf(failure: string): Error {
  return Object.assign(new Error(failure), failure === 'time-out' && { name: 'TimeoutError' })
}

function summaryOf(error: unknown): Exchange['outcome'] {
  if (!(error instanceof MerchantError)) return { thrown: (error as Error).message }
  const { reason, status = null, code = null } = error
  if (isOutcomeUnknown(error)) {
    expect(error.reference).toBe(vectors.order.transaction.reference)
    const isOwn = error.cause instanceof Error && error.cause.message === 'no secret'
    return { unknown: { reason, status, ...(isOwn && { cause: 'no secret' }) } }
  }
  return { refused: { status: status ?? 0, code } }
}

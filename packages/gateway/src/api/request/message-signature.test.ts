import { DAY_MS, MINUTE_MS, SECOND_MS, Secret, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type ChangedHeaders as Changed,
  ORIGIN,
  type SignedMessage as Message,
  digestOf,
  sendSigned,
  signedByLibrary,
} from './message-signature.fixture.js'
import { processRefunds } from '../../payment/refund-service.js'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../gateway.fixture.js'

const PRIVATE_ORIGIN = 'http://127.0.0.1:8080'
const WINDOW_MS = 5 * MINUTE_MS

const SEARCH = ['GET', '/transactions/1'] as const
const CREATION = ['POST', '/transactions'] as const
const REFUND = ['POST', '/refunds'] as const
const NOT_FOUND = { status: 404 }
const creation = (reference: string): string => JSON.stringify(cardRequest(reference))

describe('a signature by RFC 9421', () => {
  let test: TestGateway
  let machineMs = NOW_MS
  const forms: string[] = []
  beforeEach(async () => {
    const [sqlite] = TEST_ENGINES
    machineMs = NOW_MS
    forms.length = 0
    test = await openTestGateway(sqlite!, {
      origins: [ORIGIN, PRIVATE_ORIGIN],
      machineClock: { now: () => machineMs },
      requestSigned: (form) => forms.push(form),
    })
  })
  afterEach(() => test.close())

  const ask = async (route: readonly [string, string], message: Message = {}) =>
    await sendSigned(test, route, {
      body: message.body,
      headers: await signedByLibrary(...route, message),
    })

  it('is accepted as another implementation writes it', async () => {
    expect(await ask(SEARCH)).toMatchObject(NOT_FOUND)
    expect(await ask(['GET', '/transactions?page=%41&x'], {})).toMatchObject({ status: 400 })
    expect(await ask(CREATION, { body: creation('order-1') })).toMatchObject({ status: 201 })
    const headers = { 'idempotency-key': 'order-2' }
    const keyed = { body: creation('order-2'), headers }
    expect(await ask(CREATION, keyed)).toMatchObject({ status: 201 })
    expect((await ask(CREATION, keyed)).headers.get('idempotency-replayed')).toBe('true')
  })

  it('is counted apart from the specification’s, whose last day is kept of a store', async () => {
    const signedAt = async () => {
      const rows = test.database.reader.selectFrom('merchants').select('specification_signed_at')
      return (await rows.executeTakeFirstOrThrow()).specification_signed_at
    }
    await ask(SEARCH)
    await ask(SEARCH, { secret: 'another' })
    expect(forms).toEqual(['rfc9421'])
    expect(await signedAt()).toBeNull()
    for (const [laterMs, keptMs] of [
      [0, 0],
      [DAY_MS - 1, 0],
      [DAY_MS, DAY_MS],
    ] as const) {
      machineMs = NOW_MS + laterMs
      await test.send('GET', '/transactions/1')
      expect(await signedAt()).toBe(NOW_MS + keptMs)
    }
    expect(forms).toEqual(['rfc9421', ...Array<string>(3).fill('specification')])
  })

  it('may name each address of the gateway, and no other', async () => {
    expect(await ask(SEARCH, { origin: PRIVATE_ORIGIN })).toMatchObject(NOT_FOUND)
    for (const origin of ['http://api.example.com', 'https://sandbox.example.com'])
      expect(await ask(SEARCH, { origin })).toMatchObject({ status: 401, codes: [10003] })
  })

  it('may stand beside that of a proxy', async () => {
    const headers = await signedByLibrary(...SEARCH)
    const proxy = await signedByLibrary(...SEARCH, { label: 'proxy', secret: 'another' })
    const both = Object.entries(headers).map(([name, value]) => [name, `${proxy[name]}, ${value}`])
    const signed = { headers: Object.fromEntries(both) as Record<string, string> }
    expect(await sendSigned(test, SEARCH, signed)).toMatchObject(NOT_FOUND)
    const input = (text: string) => ({ ...proxy, 'signature-input': text })
    for (const stranger of [proxy, input('mycofre=()'), input('proxy=();tag="cofre=1, cofre=()"')])
      expect(await test.send(...SEARCH, { headers: stranger })).toMatchObject(NOT_FOUND)
  })

  it('is of a live secret of an enabled store', async () => {
    const secret = 'the one before'
    const previousSecret = { secret: new Secret(secret), untilMs: NOW_MS + 1 }
    await test.gateway.saveMerchant({ ...MERCHANT, previousSecret })
    expect(await ask(SEARCH)).toMatchObject(NOT_FOUND)
    await test.gateway.saveMerchant({ ...MERCHANT, enabled: false })
    expect(await ask(SEARCH)).toMatchObject({ status: 401, codes: [10003] })
  })

  it.each([
    [-WINDOW_MS - SECOND_MS, [90016]],
    [-WINDOW_MS, [20614]],
    [WINDOW_MS, [20614]],
    [WINDOW_MS + SECOND_MS, [90016]],
  ])('of a clock that is %d ms away is answered %j', async (offsetMs, codes) => {
    expect(await ask(SEARCH, { createdMs: NOW_MS + offsetMs })).toMatchObject({ codes })
  })

  const body = creation('order-1')
  const key = { 'idempotency-key': 'k' }
  const PARTS = ['@method', '@target-uri']
  it.each<[string, readonly [string, string], Message, number]>([
    ['of another secret', SEARCH, { secret: 'another' }, 10003],
    ['of an unknown store', SEARCH, { storeId: 'nobody' }, 10003],
    ['that covers nothing', SEARCH, { fields: [] }, 10002],
    ['without the method', SEARCH, { fields: ['@target-uri'] }, 10002],
    ['without the address', SEARCH, { fields: ['@method'] }, 10002],
    ['of the path alone', SEARCH, { fields: ['@method', '@path', '@authority'] }, 10002],
    ['in another order', SEARCH, { fields: PARTS.toReversed() }, 10002],
    ['of a component twice', SEARCH, { fields: [...PARTS, '@method'] }, 10002],
    ['without the body', CREATION, { body, fields: PARTS }, 10002],
    [
      'without the key',
      CREATION,
      { body, headers: key, fields: [...PARTS, 'content-digest'] },
      10002,
    ],
    ['without the time', SEARCH, { params: ['keyid', 'alg'] }, 10002],
    ['without the store', SEARCH, { params: ['created', 'alg'] }, 10002],
    ['without the algorithm', SEARCH, { params: ['created', 'keyid'] }, 10002],
    [
      'with a time of its own to expire',
      SEARCH,
      { params: ['created', 'expires', 'keyid', 'alg'] },
      10002,
    ],
    ['without a nonce for a POST', CREATION, { body, params: ['created', 'keyid', 'alg'] }, 10002],
    ['with a short nonce', CREATION, { body, nonce: 'short' }, 10002],
  ])('is refused: %s', async (_, route, message, code) => {
    const refused = await ask(route, message)
    expect(refused).toMatchObject({ status: 401, codes: [code] })
    expect(test.orders).toEqual([])
  })

  const otherBody = creation('order-2')
  it.each<[string, (headers: Record<string, string>) => Changed, number]>([
    ['a body that was changed', () => ({}), 10003],
    ['its digest, too', () => ({ 'content-digest': digestOf(otherBody) }), 10003],
    ['no digest', () => ({ 'content-digest': undefined }), 10003],
    ['another digest', () => ({ 'content-digest': `sha-512=:${'A'.repeat(86)}==:` }), 10003],
    ['another key', () => ({ 'idempotency-key': 'other' }), 10003],
    ['no key', () => ({ 'idempotency-key': undefined }), 10002],
    ['no signature', () => ({ signature: undefined }), 10002],
    ['an Authorization, too', () => ({ authorization: `store-1:${'0'.repeat(64)}` }), 10002],
    ['no signature at all', () => ({ signature: undefined, 'signature-input': undefined }), 10001],
    [
      'another time',
      (sent) => ({ 'signature-input': changed(sent, /created=\d+/, 'created=1') }),
      10003,
    ],
    [
      'another nonce',
      (sent) => ({ 'signature-input': changed(sent, /nonce-of/, 'nonce_of') }),
      10003,
    ],
    ['two of our label', (sent) => ({ 'signature-input': twice(sent) }), 10002],
  ])('is refused, sent with %s', async (_, change, code) => {
    const headers = await signedByLibrary(...CREATION, { body, headers: key })
    const sent = { body: otherBody, headers: { ...headers, ...change(headers) } }
    expect(await sendSigned(test, CREATION, sent)).toMatchObject({ status: 401, codes: [code] })
    expect(test.orders).toEqual([])
  })

  it('is of the body even where the digest is of another', async () => {
    const headers = await signedByLibrary(...CREATION, { body })
    const sent = { body: otherBody, headers }
    expect(await sendSigned(test, CREATION, sent)).toMatchObject({ status: 401, codes: [10003] })
  })

  it('can be all that a store accepts', async () => {
    await test.gateway.saveMerchant({ ...MERCHANT, signature: 'rfc9421' })
    expect(await ask(SEARCH)).toMatchObject(NOT_FOUND)
    const refused = await test.send('GET', '/transactions/1')
    expect(refused).toMatchObject({ status: 401, codes: [90018] })
    const forged = { headers: { authorization: `store-1:${'0'.repeat(64)}` } }
    expect(await test.send('GET', '/transactions/1', forged)).toMatchObject({ codes: [10003] })
  })
})

const changed = (headers: Record<string, string>, from: RegExp, to: string): string | undefined =>
  headers['signature-input']?.replace(from, to)
const twice = (headers: Record<string, string>): string =>
  `${headers['signature-input']}, ${headers['signature-input']}`

for (const engine of TEST_ENGINES) {
  describe(`a captured request on ${engine.name}`, () => {
    let test: TestGateway
    let machineNowMs = NOW_MS
    beforeEach(async () => {
      machineNowMs = NOW_MS
      test = await openTestGateway(engine, { machineClock: { now: () => machineNowMs } })
    })
    afterEach(() => test.close())

    const USED = { status: 401, codes: [90017] }
    const capture = async (route: readonly [string, string], message: Message) => {
      const headers = await signedByLibrary(...route, message)
      return () => sendSigned(test, route, { body: message.body, headers })
    }

    it('creates nothing again, with an idempotency key or without', async () => {
      for (const [index, headers] of [{}, { 'idempotency-key': 'key-1' }].entries()) {
        const send = await capture(CREATION, { body: creation(`order-${index}`), headers })
        const answers = await Promise.all([send(), send(), send()])
        expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401])
        expect(await send()).toMatchObject(USED)
        expect(test.orders).toHaveLength(index + 1)
      }
    })

    it('refunds nothing again, with an idempotency key or without', async () => {
      const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      const { code } = json.transaction as { code: string }
      const refund = { 'transaction-id': code, 'notify-url': 'https://shop.example/n', amount: 1 }
      for (const headers of [{}, { 'idempotency-key': 'key-1' }]) {
        const send = await capture(REFUND, { body: JSON.stringify(refund), headers })
        expect(await send()).toMatchObject({ status: 201 })
        await processRefunds(test.parts)
        expect(await send()).toMatchObject(USED)
      }
    })

    it('does not come true later when it was refused at first', async () => {
      await test.close()
      const purchaseLimits = { perTransactionMinor: minorUnits(1), perPeriodMinor: minorUnits(1) }
      const limits = { ...purchaseLimits }
      test = await openTestGateway(engine, { purchaseLimits: limits })
      const send = await capture(CREATION, { body: creation('order-1') })
      expect((await send()).status).toBe(422)
      Object.assign(limits, { perTransactionMinor: 1_000_000, perPeriodMinor: 1_000_000 })
      expect(await send()).toMatchObject(USED)
      expect(test.orders).toEqual([])
    })

    it('leaves the nonce to others: each store has its own', async () => {
      const other = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(other)
      const nonce = 'the-nonce-of-both-stores'
      for (const storeId of [MERCHANT.id, other.id]) {
        const send = await capture(CREATION, { body: creation('order-1'), nonce, storeId })
        expect(await send()).toMatchObject({ status: 201 })
      }
    })

    it('is known until its signature has expired, and then forgotten', async () => {
      const createdMs = NOW_MS + WINDOW_MS
      const send = await capture(CREATION, { body: creation('order-1'), createdMs })
      expect(await send()).toMatchObject({ status: 201 })
      machineNowMs = createdMs + WINDOW_MS
      await test.parts.nonces.forget(machineNowMs)
      expect(await send()).toMatchObject(USED)
      machineNowMs += 1
      expect(await send()).toMatchObject({ status: 401, codes: [90016] })
      machineNowMs += WINDOW_MS
      await test.parts.nonces.forget(machineNowMs)
      const kept = test.database.reader.selectFrom('request_nonces').select('nonce').execute()
      await expect(kept).resolves.toEqual([])
    })
  })
}

import process from 'node:process'
import { describe, expect, it, vi } from 'vitest'
import {
  type CreateTransactionRequest,
  MerchantApiError,
  MerchantConnectionError,
  createMerchantClient,
  createSandboxClient,
  explainDecline,
  isOutcomeUnknown,
  parseNotification,
  shopperTextOf,
  verifyNotification,
} from './index.js'

/** A function as an untyped program calls it: with any arguments. */
type Untyped = (...args: unknown[]) => unknown
type UntypedClient = Readonly<Record<string, Untyped>>

const fetch = () => Promise.reject(new Error('a wrong call was sent'))
const SIGNED_IN = {
  baseUrl: 'https://api.shop.example',
  storeId: 'store-1',
  secret: 'a secret',
  retryBudgetMs: 0,
  fetch,
}
const cofre = createMerchantClient(SIGNED_IN) as unknown as UntypedClient
const sandbox = createSandboxClient(SIGNED_IN) as unknown as UntypedClient
const create = createMerchantClient as Untyped
const verify = verifyNotification as unknown as Untyped
const ORDER = { transaction: {} }
const SIGNED = { headers: {}, body: 'a=1', secret: 'a secret' }
const soon = new Date('soon')

/** Ten when read, and nothing when sent. */
const FICKLE = { valueOf: () => 10, toJSON: () => undefined }

const refundOf = (wrong: object) => cofre.createRefund?.({ 'transaction-id': '1', ...wrong })
const orderWith = (wrong: object) => cofre.createTransaction?.({ ...ORDER, ...wrong })

/** The call, and the beginning of its TypeError. */
const WRONG: readonly (readonly [begins: string, call: () => unknown])[] = [
  ['options must be an object, not undefined', () => create()],
  ['baseUrl must be an http', () => create({ ...SIGNED_IN, baseUrl: undefined })],
  ['signedOrigin must be an http', () => create({ ...SIGNED_IN, signedOrigin: 'shop.example' })],
  ['storeId must be a string, not undefined', () => create({ ...SIGNED_IN, storeId: undefined })],
  ['secret must be a string, not undefined', () => create({ ...SIGNED_IN, secret: undefined })],
  ['secret must be a string, not an empty string', () => create({ ...SIGNED_IN, secret: '' })],
  ['storeId must be printable ASCII', () => create({ ...SIGNED_IN, storeId: 'store-1\n' })],
  [
    'options.idempotencyKey must be printable ASCII',
    () => cofre.createTransaction?.(ORDER, { idempotencyKey: 'chave-ção\n' }),
  ],
  [
    'signature must be rfc9421 or specification, not another string',
    () => create({ ...SIGNED_IN, signature: 'hmac' }),
  ],
  ['timeoutMs must be a number from 0', () => create({ ...SIGNED_IN, timeoutMs: '30s' })],
  ['retryBudgetMs must be a number', () => create({ ...SIGNED_IN, retryBudgetMs: Number.NaN })],
  [
    'language must be en, pt-BR, en-US, pt-PT, es-ES, or tr-TR, not another string',
    () => create({ ...SIGNED_IN, language: 'fr' }),
  ],
  ['language must be en, pt-BR,', () => create({ ...SIGNED_IN, language: null })],
  [
    'options.timeout is not known. Known are baseUrl, storeId, secret,',
    () => create({ ...SIGNED_IN, timeout: 30 }),
  ],
  [
    'options.timeout is not known. Known are baseUrl,',
    () => (createSandboxClient as unknown as Untyped)({ ...SIGNED_IN, timeout: 30 }),
  ],
  ['vendor must be a string', () => create({ ...SIGNED_IN, vendor: 7 })],
  ['fetch must be a function', () => create({ ...SIGNED_IN, fetch: {} })],
  [
    'secret() must be a string, not an empty string',
    () => createMerchantClient({ ...SIGNED_IN, secret: () => '' }).binLookup('411111'),
  ],
  ['order must be an object, not undefined', () => cofre.createTransaction?.()],
  ['order.transaction must be an object', () => cofre.createTransaction?.({ charge: [] })],
  ['options must be an object, not a string', () => cofre.createTransaction?.(ORDER, 'key')],
  [
    'options.idempotencyKey must be a string, not null',
    () => cofre.createTransaction?.(ORDER, { idempotencyKey: null }),
  ],
  // With a misspelt key, a key would be drawn: a payment would be sent twice.
  [
    'options.idempotencykey is not known. Known are idempotencyKey',
    () => cofre.createRefund?.({}, { idempotencykey: 'key' }),
  ],
  [
    'the body cannot be sent as JSON: Do not know how to serialize a BigInt',
    () => cofre.createTransaction?.({ ...ORDER, charge: [{ amount: 42n }] }),
  ],
  ['refund must be an object, not a string', () => cofre.createRefund?.('59557135709791')],
  // Without an amount, the whole payment would be refunded.
  ['refund.amount must be a number above 0, not NaN', () => refundOf({ amount: NaN })],
  ['refund.amount must be a number above 0, not undefined', () => refundOf({ amount: undefined })],
  ['refund.amount must be a number above 0, not null', () => refundOf({ amount: null })],
  ['refund.amount must be a number above 0', () => refundOf({ amount: '' })],
  ['refund.amount must be a number above 0, not Infinity', () => refundOf({ amount: 1 / 0 })],
  ['refund.amount must be a number above 0, not 0 or less', () => refundOf({ amount: 0 })],
  ['refund.reference must be a string, not a number', () => refundOf({ reference: 7 })],
  ['refund.ammount is not known. Known are transaction-id', () => refundOf({ ammount: 10 })],
  [
    'refund.idempotencyKey is not known. It belongs into options',
    () => refundOf({ idempotencyKey: 'key' }),
  ],
  ['order.idempotencyKey is not known', () => orderWith({ idempotencyKey: 'key' })],
  ['order.reference is not known', () => orderWith({ reference: 'order-1' })],
  [
    'order.transaction.reference must be a string, not null',
    () => orderWith({ transaction: { reference: null } }),
  ],
  [
    'options.idempotencyKey must be a string, not undefined',
    () => cofre.createTransaction?.(ORDER, { idempotencyKey: undefined }),
  ],
  ...['idempotency-key', 'Idempotency-Key', 'idempotency_key', 'idempotencyKey'].map(
    (key) =>
      [
        `the body's ${key} is not known. It belongs into options.idempotencyKey`,
        () => cofre.createTransaction?.({ ...ORDER, charge: [{ [key]: 'key' }] }),
      ] as const,
  ),
  // JSON has no such number and no such date: both would become null.
  [
    "the body's amount cannot be sent: it is NaN",
    () => cofre.createTransaction?.({ ...ORDER, charge: [{ amount: NaN }] }),
  ],
  [
    "the body's due-date cannot be sent: it is an invalid date",
    () => cofre.createTransaction?.({ ...ORDER, charge: [{ 'due-date': soon }] }),
  ],
  ['refund.amount must be a number above 0', () => refundOf({ amount: FICKLE })],
  ['change must be an object, not a number', () => cofre.changeInterest?.(2.49)],
  // Without a brand, all brands would have these terms.
  [
    'change.brand must be a string, not undefined',
    () => cofre.changeInterest?.({ brand: undefined, usual: true }),
  ],
  [
    'change.brnad is not known. Known are brand, from,',
    () => cofre.changeInterest?.({ brnad: 'visa', usual: true }),
  ],
  // Without a time, the change would apply immediately.
  [
    'change.from must be a valid Date, not undefined',
    () => cofre.changeInterest?.({ usual: true, from: undefined }),
  ],
  [
    'change.from must be a valid Date, not an invalid date',
    () => cofre.changeInterest?.({ usual: true, from: soon }),
  ],
  [
    'change.interest-free must be a number',
    () => cofre.changeInterest?.({ 'interest-free': undefined }),
  ],
  ['code must be a string, not undefined', () => cofre.findTransaction?.()],
  ['reference must be a string, not null', () => cofre.findByReference?.(null)],
  ['query must be an object, not undefined', () => cofre.searchTransactions?.()],
  [
    'query.initial-order-date must be a valid Date, not an invalid date',
    () => cofre.searchTransactions?.({ 'initial-order-date': soon }),
  ],
  // It would become the text "null", which finds nothing.
  ['query.reference must be given a value', () => cofre.searchTransactions?.({ reference: null })],
  ['query must be an object', () => nextOf(cofre.allTransactions?.())],
  ['query must be an object', () => cofre.cardLookup?.()],
  ['query.bin must be a string, not undefined', () => cofre.cardLookup?.({ amount: 20 })],
  ['query.amount must be a number', () => cofre.cardLookup?.({ bin: '411111', amount: '20' })],
  ['bin must be a string', () => cofre.binLookup?.(undefined)],
  ['query.brand must be a string', () => cofre.installments?.({ amount: 20 })],
  ['link must be an object', () => cofre.createPaymentLink?.()],
  [
    'link.idempotencyKey is not known. It belongs into options',
    () => cofre.createPaymentLink?.({ idempotencyKey: 'key' }),
  ],
  [
    'link.reference must be a string, not a number',
    () => cofre.createPaymentLink?.({ reference: 7 }),
  ],
  // Without a time, the link would never expire.
  [
    'link.expires-at must be a valid Date, not undefined',
    () => cofre.createPaymentLink?.({ 'expires-at': undefined }),
  ],
  [
    'link.expires-at must be a valid Date, not an invalid date',
    () => cofre.createPaymentLink?.({ 'expires-at': soon }),
  ],
  [
    'link.expire-at is not known. Known are reference, amount,',
    () => cofre.createPaymentLink?.({ 'expire-at': soon }),
  ],
  ['code must be a string', () => cofre.findPaymentLink?.()],
  ['query must be an object, not a string', () => cofre.listPaymentLinks?.('PAYABLE')],
  ['query must be an object, not null', () => nextOf(cofre.allPaymentLinks?.(null))],
  ['code must be a string', () => cofre.revokePaymentLink?.()],
  ['code must be a string, not undefined', () => cofre.findPayment?.()],
  ['code must be a string, not null', () => cofre.capturePayment?.(null)],
  // With a misspelt or unset amount, the whole payment would be captured.
  ['capture.amout is not known', () => cofre.capturePayment?.('1', { amout: 1 })],
  [
    'capture.amount must be a number above 0, not undefined',
    () => cofre.capturePayment?.('1', { amount: undefined }),
  ],
  [
    'capture.idempotencyKey is not known. It belongs into options',
    () => cofre.capturePayment?.('1', { idempotencyKey: 'end-1' }),
  ],
  ['code must be a string, not null', () => cofre.cancelPayment?.(null)],
  [
    'options.idempotencyKey must be a string',
    () => cofre.cancelPayment?.('59557135709791', { idempotencyKey: '' }),
  ],
  ['card must be an object', () => cofre.saveCard?.()],
  ['card.tokn is not known', () => cofre.saveCard?.({ tokn: 'x' })],
  ['card.payer must be an object', () => cofre.saveCard?.({ token: 'x', payer: 'Maria' })],
  ['search must be an object', () => cofre.searchSavedCards?.()],
  ['search.payer-email must be a string', () => cofre.searchSavedCards?.({ limit: 5 })],
  ['search.email is not known', () => nextOf(cofre.allSavedCardsOfPayer?.({ email: 'a@b.co' }))],
  ['code must be a string', () => cofre.findSavedCard?.()],
  ['code must be a string', () => cofre.deleteSavedCard?.()],
  // With a misspelt or unset filter, the list would have everything.
  ['query.statsu is not known. Known are status,', () => cofre.listPayments?.({ statsu: 'PAID' })],
  ['query.status must be given a value', () => cofre.listPayments?.({ status: null })],
  ['query.amount must be a number above 0', () => cofre.listPayments?.({ amount: Number.NaN })],
  [
    'query.created-from must be a valid Date',
    () => nextOf(cofre.allPayments?.({ 'created-from': soon })),
  ],
  ['search must be an object, not undefined', () => cofre.searchPayments?.()],
  [
    'search.payer-email must be given a value',
    () => cofre.searchPayments?.({ 'payer-email': null, 'payer-document': '52998224725' }),
  ],
  [
    'search.email is not known. Known are payer-email,',
    () => nextOf(cofre.allPaymentsOfPayer?.({ email: 'maria@example.com' })),
  ],
  ['query must be an object, not a string', () => cofre.listRefunds?.('PROCESSED')],
  ['query.code is not known', () => nextOf(cofre.allRefunds?.({ code: '1' }))],
  ['seconds must be a number', () => sandbox.previewClock?.()],
  ['seconds must be a number', () => sandbox.advanceClock?.('60')],
  ['transactionCode must be a string', () => sandbox.setStatus?.()],
  ['status must be PENDING, UNDER-REVIEW,', () => sandbox.setStatus?.('59557135709791', 'PAID')],
  ['refundId must be a string', () => sandbox.finishRefund?.()],
  ['outcome must be PROCESSED or REJECTED', () => sandbox.finishRefund?.('1', 'DONE')],
  ['request must be an object', () => sandbox.openStream?.()],
  ['request.target must be a string', () => sandbox.openStream?.({})],
  ['signed must be an object', () => verify()],
  ['secret must be a string, not undefined', () => verify({ ...SIGNED, secret: undefined })],
  ['headers must be the headers as received', () => verify({ ...SIGNED, headers: undefined })],
  ['the body is neither a string nor bytes', () => verify({ ...SIGNED, body: { a: 1 } })],
  // With NaN, a notification of any time would pass.
  ['toleranceMs must be a number', () => verify({ ...SIGNED, toleranceMs: Number.NaN })],
  ['now must be a valid Date, not a number', () => verify({ ...SIGNED, now: Date.now() })],
  ['now must be a valid Date', () => verify({ ...SIGNED, now: soon })],
  ['the body is neither', () => (parseNotification as Untyped)('application/json')],
  ['language must be en or pt-BR', () => (explainDecline as Untyped)('generic')],
  ['language must be en or pt-BR', () => (shopperTextOf as Untyped)('generic', 'en-US')],
]

async function nextOf(found: unknown): Promise<unknown> {
  return await (found as AsyncGenerator).next()
}

describe('a wrong call', () => {
  it.each(WRONG)('is a TypeError: %s', async (begins, call) => {
    const failure: unknown = await Promise.resolve()
      .then(call)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(TypeError)
    expect((failure as TypeError).message.slice(0, begins.length)).toBe(begins)
  })

  it('is rejected, not thrown, by what answers later', () => {
    const calls = [...Object.values(cofre), ...Object.values(sandbox)]
    for (const call of calls) {
      const answer = call()
      if (answer instanceof Promise) answer.catch(() => undefined)
      else expect(answer).toHaveProperty('next')
    }
  })
})

describe('a refund', () => {
  /** The body that the service receives. */
  const sentBy = async (refund: unknown): Promise<unknown> => {
    let sent: unknown
    const client = createMerchantClient({
      ...SIGNED_IN,
      fetch(_, request) {
        sent = JSON.parse(typeof request?.body === 'string' ? request.body : 'null')
        return Promise.resolve(Response.json({ 'refund-id': 1 }, { status: 201 }))
      },
    })
    await (client.createRefund as Untyped)(refund)
    return sent
  }

  it('is of the amount that an object of a class names', async () => {
    class Refund {
      readonly 'transaction-id' = '1'
      get amount() {
        return 2 * 5
      }
    }
    expect(await sentBy(new Refund())).toMatchObject({ 'transaction-id': '1', amount: 10 })
    const hidden = Object.defineProperty({ 'transaction-id': '1' }, 'amount', { value: 10 })
    expect(await sentBy(hidden)).toMatchObject({ amount: 10 })
  })

  it('has no amount where none is named', async () => {
    expect(await sentBy({ 'transaction-id': '1' })).not.toHaveProperty('amount')
  })
})

describe('the message of a refusal', () => {
  const wrong = (code: number, message: string) => ({ code, description: 'key', message })

  it('has one sentence after another, each with its own full stop', () => {
    const errors = [wrong(1, 'Not this. Send that.'), wrong(2, 'Nor this.'), wrong(3, '')]
    expect(new MerchantApiError(400, errors).message).toBe(
      'the service answered 400, 1 key: Not this. Send that. 2 key: Nor this. 3 key',
    )
  })

  it('begins with the unknown outcome', () => {
    const sent = { reference: 'order-1', idempotencyKey: 'key' }
    expect(new MerchantApiError(500, [wrong(1, 'It failed.')], { sent }).message).toBe(
      'the service answered 500: the outcome is unknown, 1 key: It failed.',
    )
  })
})

describe('a service that does not answer', () => {
  /** A client of a service that fails with this error. */
  const failing = (cause: Error) =>
    createMerchantClient({ ...SIGNED_IN, fetch: () => Promise.reject(cause) })
  const refused = new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  })
  const order = ORDER as unknown as CreateTransactionRequest

  it('is named, with the cause, and asked without a doubt for what creates nothing', async () => {
    const failure: unknown = await failing(refused)
      .findTransaction('1')
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MerchantConnectionError)
    expect(failure).toMatchObject({
      message: 'no answer from https://api.shop.example (network, ECONNREFUSED)',
    })
    expect(isOutcomeUnknown(failure)).toBe(false)
  })

  it.each([
    [refused, 'network, ECONNREFUSED'],
    [new DOMException('too slow', 'TimeoutError'), 'time-out'],
    [new Error('no secret of https://user:password@proxy'), 'network'],
  ])('leaves the outcome of a creation unknown: %s', async (cause, why) => {
    const failure: unknown = await failing(cause)
      .createTransaction(order)
      .catch((error: unknown) => error)
    expect(isOutcomeUnknown(failure)).toBe(true)
    expect(failure).toMatchObject({
      message: `no answer from https://api.shop.example (${why}): the outcome is unknown`,
    })
  })
})

describe('an answer', () => {
  const answering = (response: () => Response) =>
    createMerchantClient({ ...SIGNED_IN, fetch: () => Promise.resolve(response()) })

  it('that is not of the API names the address', async () => {
    const answer = answering(() => new Response('Misdirected', { status: 421 }))
    await expect(answer.findTransaction('1')).rejects.toThrow(
      "https://api.shop.example answered 421, and that is no answer of Cofre's API: is the address right?",
    )
  })

  it('that names unknown fields warns once of each', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const headers = { 'Cofre-Unknown-Fields': 'transaction.foo, charge[0].description' }
    const answer = answering(() => Response.json({}, { headers }))
    for (const code of ['1', '2']) await answer.findTransaction(code).catch(() => undefined)
    const messages = warn.mock.calls.map(([warning]) => warning)
    warn.mockRestore()
    expect(messages).toEqual(
      ['transaction.foo', 'charge[0].description'].map(
        (field) => `the service does not know the field ${field}`,
      ),
    )
  })
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type CancellationBody,
  type CaptureBody,
  type PaymentBody,
  type PaymentListBody,
  type RefundListBody,
  type TransactionBody,
  cancellationBodySchema,
  captureBodySchema,
  paymentBodySchema,
  paymentListSchema,
  refundListSchema,
  transactionBodySchema,
} from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { createMerchantClient } from './merchant-client.js'
import type {
  ChargeRequest,
  CreateTransactionRequest,
  PaymentQuery,
  PaymentSearchRequest,
} from './request.js'

interface Vectors {
  readonly order: CreateTransactionRequest
  readonly payments: {
    readonly search: Omit<PaymentSearchRequest, 'created-from'> & {
      readonly 'created-from': string
    }
    readonly card: PaymentBody
    readonly boleto: PaymentBody
    readonly pages: readonly PaymentListBody[]
    readonly codes: readonly string[]
    readonly cursors: readonly string[]
    readonly cancelled: CancellationBody
    readonly authorized: {
      readonly charge: ChargeRequest
      readonly created: TransactionBody
      readonly page: PaymentListBody
      readonly captured: CaptureBody
    }
    readonly refundPages: readonly RefundListBody[]
    readonly refundIds: readonly string[]
  }
}

const FILE = path.join(import.meta.dirname, '../../../sdks/vectors.json')
const { order, payments: vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors
const SIGNED_IN = { baseUrl: 'https://api.shop.example', storeId: 'store-1', secret: 'a secret' }
const V2 = 'application/vnd.cofre.v2+json; charset=UTF-8'
const [CODE = ''] = vectors.codes

/**
 * A client that gets these answers, or none at an error, then the last one again; and the requests
 * that it has sent.
 */
function clientOf(...answers: readonly object[]) {
  const asked: { readonly target: string; readonly init: RequestInit }[] = []
  let elapsedMs = 0
  const client = createMerchantClient({
    ...SIGNED_IN,
    retryBudgetMs: 500,
    machine: {
      nowMs: () => 1_790_000_000_000,
      elapsedMs: () => elapsedMs,
      sleep: (milliseconds) => Promise.resolve((elapsedMs += milliseconds)),
      randomBytes: (length) => new Uint8Array(length),
    },
    fetch(url: unknown, init: RequestInit = {}) {
      asked.push({ target: String(url).replace(SIGNED_IN.baseUrl, ''), init })
      const answer = answers[asked.length - 1] ?? answers.at(-1)
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve(Response.json(answer))
    },
  })
  return { client, asked }
}

const headersOf = ({ init }: { init: RequestInit }): Headers => new Headers(init.headers)
const bodyOf = ({ init }: { init: RequestInit }): unknown => JSON.parse(init.body as string)

async function codesOf(list: AsyncIterable<{ readonly code: string }>): Promise<string[]> {
  const codes: string[] = []
  for await (const { code } of list) codes.push(code)
  return codes
}

it('the vectors of payments are answers of the API', () => {
  for (const body of [vectors.card, vectors.boleto]) paymentBodySchema.parse(body)
  for (const body of vectors.pages) paymentListSchema.parse(body)
  for (const body of vectors.refundPages) refundListSchema.parse(body)
  cancellationBodySchema.parse(vectors.cancelled)
  const { authorized } = vectors
  transactionBodySchema.parse(authorized.created)
  paymentListSchema.parse(authorized.page)
  captureBodySchema.parse(authorized.captured)
})

describe('payments', () => {
  it('are found whole, under the second version', async () => {
    const { client, asked } = clientOf(vectors.card)
    expect(await client.findPayment(CODE)).toEqual(vectors.card.payment)
    expect(asked).toMatchObject([{ target: `/payments/${CODE}`, init: { method: 'GET' } }])
    expect(asked.map((one) => headersOf(one).get('Accept'))).toEqual([V2])
  })

  it('are listed page by page, beyond an empty page, until there is no cursor', async () => {
    const { client, asked } = clientOf(...vectors.pages, vectors.pages[0] ?? {})
    const query: PaymentQuery = {
      status: 'COMPLETE',
      amount: 42.5,
      'created-from': new Date('2026-11-01T12:00:00Z'),
    }
    expect(await codesOf(client.allPayments(query))).toEqual(vectors.codes)
    expect(await client.listPayments()).toEqual(vectors.pages[0])
    const first = '/payments?status=COMPLETE&amount=42.5&created-from=2026-11-01T12%3A00%3A00.000Z'
    expect(asked.map(({ target }) => target)).toEqual([
      first,
      ...vectors.cursors.map((cursor) => `${first}&cursor=${cursor}`),
      '/payments',
    ])
    expect(new Set(asked.map((one) => headersOf(one).get('Accept')))).toEqual(new Set([V2]))
  })

  it('of a payer are searched by a body, which is sent again after a lost answer', async () => {
    const { client, asked } = clientOf(new Error('no answer'), ...vectors.pages)
    const { 'created-from': from, ...search } = vectors.search
    const found = client.allPaymentsOfPayer({ ...search, 'created-from': new Date(from) })
    expect(await codesOf(found)).toEqual(vectors.codes)
    const body = { ...vectors.search, 'created-from': new Date(from).toISOString() }
    expect(asked.map(bodyOf)).toEqual([
      body,
      body,
      ...vectors.cursors.map((cursor) => ({ ...body, cursor })),
    ])
    expect(new Set(asked.map(({ target }) => target))).toEqual(new Set(['/payments/searches']))
    expect(asked.map((one) => headersOf(one).get('Idempotency-Key'))).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('are searched one page at a time', async () => {
    const { client, asked } = clientOf(vectors.pages[1] ?? {})
    const search = { 'payer-document': '52998224725', cursor: vectors.cursors[0] ?? '' }
    expect(await client.searchPayments(search)).toEqual(vectors.pages[1])
    expect(asked.map(bodyOf)).toEqual([search])
  })

  it('are authorized, and listed until their capture', async () => {
    const { charge, created, page } = vectors.authorized
    const { client, asked } = clientOf(created, page)
    expect(await client.createTransaction({ ...order, charge: [charge] })).toEqual(created)
    expect(await client.listPayments({ status: 'AUTHORIZED' })).toEqual(page)
    expect(bodyOf(asked[0] ?? { init: {} })).toMatchObject({ charge: [charge] })
    expect(asked[1]?.target).toBe('/payments?status=AUTHORIZED')
  })

  it.each([
    ['whole', undefined, {}],
    ['in part', { amount: 40.1 }, { amount: 40.1 }],
  ])('are captured %s, under the same key again', async (_, capture, body) => {
    const { captured } = vectors.authorized
    const { client, asked } = clientOf(new Error('no answer'), captured)
    expect(await client.capturePayment(CODE, capture, { idempotencyKey: 'end-1' })).toEqual(
      captured,
    )
    expect(asked.map(({ target }) => target)).toEqual(Array(2).fill(`/payments/${CODE}/capture`))
    expect(asked.map(bodyOf)).toEqual([body, body])
    expect(asked.map((one) => headersOf(one).get('Idempotency-Key'))).toEqual(['end-1', 'end-1'])
  })

  it('are cancelled under the same key again', async () => {
    const { client, asked } = clientOf(new Error('no answer'), vectors.cancelled)
    expect(await client.cancelPayment(CODE, { idempotencyKey: 'end-1' })).toEqual(vectors.cancelled)
    expect(asked.map(({ target, init }) => [target, init.body])).toEqual([
      [`/payments/${CODE}/cancellation`, '{}'],
      [`/payments/${CODE}/cancellation`, '{}'],
    ])
    expect(asked.map((one) => headersOf(one).get('Idempotency-Key'))).toEqual(['end-1', 'end-1'])
  })

  it('whose page has no cursor, not even null, are refused', async () => {
    const { client } = clientOf({ payments: [], refunds: [] })
    await expect(client.listPayments()).rejects.toMatchObject({ reason: 'broken-answer' })
    await expect(client.listRefunds()).rejects.toMatchObject({ reason: 'broken-answer' })
  })
})

it('refunds are listed page by page', async () => {
  const { client, asked } = clientOf(...vectors.refundPages, vectors.refundPages[1] ?? {})
  const ids: string[] = []
  for await (const refund of client.allRefunds({ 'transaction-code': CODE }))
    ids.push(refund['refund-id'])
  expect(ids).toEqual(vectors.refundIds)
  expect(await client.listRefunds({ status: 'PROCESSED' })).toEqual(vectors.refundPages[1])
  expect(asked.map(({ target }) => target)).toEqual([
    `/refunds?transaction-code=${CODE}`,
    `/refunds?transaction-code=${CODE}&cursor=1795350000000-8`,
    '/refunds?status=PROCESSED',
  ])
  expect(new Set(asked.map((one) => headersOf(one).get('Accept')))).toEqual(new Set([V2]))
})

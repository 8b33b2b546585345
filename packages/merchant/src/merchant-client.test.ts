import { describe, expect, it } from 'vitest'
import { type Answer, SECRET, STORE_ID, listenAsGateway } from './gateway.fixture.js'
import { type MerchantClientOptions, createMerchantClient } from './merchant-client.js'
import { MerchantApiError, MerchantConnectionError } from './merchant-error.js'
import type { CreateTransactionRequest } from './request.js'

const TOKEN = 'eyJhbGciOiJFQ0RILUVTIn0..segredo.do.cliente'

const order: CreateTransactionRequest = {
  transaction: {
    reference: 'serra-1',
    country: 'BR',
    currency: 'BRL',
    'checkout-type': 'direct',
    'notification-url': 'https://loja.example/notifications',
    language: 'pt-BR',
  },
  charge: [
    {
      amount: 42.9,
      'payment-method': { type: 'credit-card' },
      'payment-info': { installments: 1, token: TOKEN },
    },
  ],
  payer: {
    name: 'Maria José da Conceição',
    email: 'maria@example.com',
    document: { type: 'CPF', number: '52998224725' },
  },
  cart: [{ quantity: 1, description: 'Café', 'unit-price': 42.9, type: 'digital' }],
}

const created = {
  transaction: {
    code: '123456789012345',
    reference: 'serra-1',
    amount: 42.9,
    status: 'PAID',
    currency: 'BRL',
    country: 'BR',
    'payer-email': 'maria@example.com',
    'date-created': '2026-09-01T12:00:00.000-03:00',
  },
}

const found = {
  'transaction-result': { 'store-id': STORE_ID, transactions: [{ 'transaction-code': '1' }] },
  metadata: { found: '1', 'page-results': 1, 'current-page': 1, 'total-pages': 1 },
}

async function connect(answer: Answer, options: Partial<MerchantClientOptions> = {}) {
  const gateway = await listenAsGateway(answer)
  const { baseUrl } = gateway
  const signedIn = { baseUrl, storeId: STORE_ID, secret: SECRET, retryBudgetMs: 0 }
  const client = createMerchantClient({ ...signedIn, ...options })
  return { ...gateway, client }
}

const ok = (body: unknown, status = 200): Answer => ({ status, body: JSON.stringify(body) })

describe('signed requests', () => {
  it('ask for the secret each time, so that a rotated one counts at once', async () => {
    let secret = 'the secret before'
    const { client, received } = await connect(ok(found), { secret: () => secret })
    await client.findTransaction('1')
    secret = SECRET
    await client.findTransaction('1')
    expect(received.map(({ signatureHolds }) => signatureHolds)).toEqual([false, true])
  })

  it('posts a transaction under the v2 media type', async () => {
    const { client, received } = await connect(ok(created, 201))
    await expect(client.createTransaction(order)).resolves.toEqual(created)
    expect(received).toMatchObject([
      {
        method: 'POST',
        target: '/transactions',
        signatureHolds: true,
        headers: {
          accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
          'content-type': 'application/json',
        },
      },
    ])
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(order)
    expect(received[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  })

  it('sends the idempotency key that it is given', async () => {
    const { client, received } = await connect(ok(created, 201))
    await client.createTransaction(order, { idempotencyKey: 'serra-1' })
    expect(received[0]?.headers).toMatchObject({ 'idempotency-key': 'serra-1' })
  })

  it('posts a refund under a reference and answers its id as text', async () => {
    const { client, received } = await connect(ok({ 'refund-id': 77 }, 201))
    const refund = { 'transaction-id': 123, 'notify-url': 'https://loja.example/n', amount: 10.5 }
    await expect(client.createRefund(refund)).resolves.toBe('77')
    expect(received).toMatchObject([{ method: 'POST', target: '/refunds', signatureHolds: true }])
    expect(received[0]?.headers.accept).toContain('.v2+json')
    const sent = JSON.parse(received[0]?.body ?? '') as Record<string, string>
    expect(sent).toEqual({ ...refund, reference: sent.reference })
    expect(sent.reference).toMatch(/^[0-9a-f]{32}$/)
    await client.createRefund({ ...refund, reference: 'return-1' })
    expect(received[1]?.body).toContain('"reference":"return-1"')
  })

  it('are signed as the specification has it for gateways that know no other', async () => {
    const { client, received } = await connect(ok(created, 201), { signature: 'specification' })
    await client.createTransaction(order)
    const refund = { 'transaction-id': 123, 'notify-url': 'https://loja.example/n' }
    await client.createRefund(refund).catch(() => undefined)
    expect(received).toMatchObject([
      { target: '/transactions', signatureHolds: true },
      { target: '/refunds', signatureHolds: true },
    ])
    expect(received[0]?.headers).not.toHaveProperty('signature')
  })

  it('name the address that the service calls its own', async () => {
    const gateway = await listenAsGateway(ok(found))
    const inside = 'http://cofre.internal:8080'
    const client = createMerchantClient({
      baseUrl: inside,
      signedOrigin: gateway.baseUrl,
      storeId: STORE_ID,
      secret: SECRET,
      fetch: (_, init) => fetch(`${gateway.baseUrl}/transactions/1`, init),
    })
    await client.findTransaction('1')
    expect(gateway.received).toMatchObject([{ target: '/transactions/1', signatureHolds: true }])
  })

  it('signs the query of a search as it is sent', async () => {
    const { client, received } = await connect(ok(found))
    await client.searchTransactions({
      'initial-order-date': new Date('2026-08-01T00:00:00Z'),
      status: 'UNDER-REVIEW',
      page: 2,
    })
    expect(received).toMatchObject([
      {
        method: 'GET',
        target:
          '/transactions?initial-order-date=2026-08-01T00%3A00%3A00.000Z&status=UNDER-REVIEW&page=2',
        signatureHolds: true,
        body: '',
      },
    ])
    expect(received[0]?.headers.accept).toBe('application/vnd.cofre.v1+json; charset=UTF-8')
  })

  it('finds one transaction by its code', async () => {
    const { client, received } = await connect(ok(found))
    await expect(client.findTransaction('1')).resolves.toEqual({ 'transaction-code': '1' })
    expect(received).toMatchObject([{ target: '/transactions/1', signatureHolds: true }])
  })

  it('asks the three lookups for reais in Brazil', async () => {
    const bin = { number: 411111, brand: 'visa' }
    const { client, received } = await connect(ok({ bin, installments: [] }))
    await expect(client.cardLookup({ bin: '411111', amount: 10 })).resolves.toEqual({
      bin,
      installments: [],
    })
    await expect(client.binLookup('411111')).resolves.toEqual(bin)
    await expect(client.installments({ brand: 'visa', amount: 10.5 })).resolves.toEqual([])
    expect(received.map(({ target }) => target)).toEqual([
      '/card?bin=411111&country=BR&amount=10&currency=BRL',
      '/card/bin/411111',
      '/card/installments?brand=visa&country=BR&amount=10.5&currency=BRL',
    ])
    expect(received.every(({ signatureHolds }) => signatureHolds)).toBe(true)
  })

  it('names another vendor in the media type', async () => {
    const { client, received } = await connect(ok(found), { vendor: 'acme.com' })
    await client.findTransaction('1')
    expect(received[0]?.headers.accept).toBe('application/vnd.acme.com.v1+json; charset=UTF-8')
  })

  it.each(['ftp://api.example', 'api.example', 'https://api.example/v2', 'https://api.example/?a'])(
    'refuses %s as an origin',
    (baseUrl) => {
      expect(() => createMerchantClient({ baseUrl, storeId: 's', secret: 's' })).toThrow(TypeError)
    },
  )
})

describe('refusals', () => {
  it('carry the status and every error, with codes as numbers', async () => {
    const errors = [
      { code: '210318', description: 'payer_document_number_invalid', property: 'payer.document' },
      { code: 210203, description: 'charge_0_amount_missing', constraint: 'minimum', minimum: 0.2 },
    ]
    const { client } = await connect(ok({ errors }, 400))
    const failure = await client.createTransaction(order).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MerchantApiError)
    expect(failure).toMatchObject({
      status: 400,
      isOutcomeKnown: true,
      errors: [{ ...errors[0], code: 210318 }, errors[1]],
    })
  })

  it.each([
    ['a proxy page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['an object without errors', { status: 500, body: '{}' }],
    ['errors of another shape', { status: 500, body: '{"errors":[null,{"code":"x"}]}' }],
  ])('with %s have no errors and an unknown outcome', async (_, answer) => {
    const { client } = await connect(answer)
    await expect(client.createTransaction(order)).rejects.toMatchObject({
      name: 'MerchantApiError',
      status: answer.status,
      errors: [],
      isOutcomeKnown: false,
    })
  })

  it('do not follow a redirect', async () => {
    const { client, received } = await connect({ status: 307, body: '' })
    await expect(client.createTransaction(order)).rejects.toMatchObject({ status: 307 })
    expect(received).toHaveLength(1)
  })

  it('answer 404 for a search result without the transaction', async () => {
    const empty = { ...found, 'transaction-result': { 'store-id': 's', transactions: [] } }
    const { client } = await connect(ok(empty))
    await expect(client.findTransaction('1')).rejects.toMatchObject({ status: 404 })
  })

  it('never print the secret, the token or a text that is not a key', async () => {
    const errors = [{ code: 210216, description: `bad token ${TOKEN}` }]
    const { client } = await connect(ok({ errors }, 400))
    const failure = await client.createTransaction(order).catch((error: unknown) => error)
    expect(String(failure)).toContain('210216')
    expect(String(failure)).not.toContain(TOKEN)
    expect(JSON.stringify(client)).not.toContain(SECRET)
  })
})

describe('no answer', () => {
  it('is an unknown outcome after the time-out', async () => {
    const { client } = await connect('never', { timeoutMs: 50 })
    const failure = await client.createTransaction(order).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MerchantConnectionError)
    expect(failure).toMatchObject({ reason: 'time-out' })
  })

  it('is an unknown outcome when no server listens', async () => {
    const { client, server } = await connect(ok(created))
    server.close()
    await expect(client.createTransaction(order)).rejects.toMatchObject({ reason: 'network' })
  })

  it.each(['{"transaction":', '[]', '{}', '{"transaction":{"code":1}}'])(
    'is an unknown outcome when the success contains %s',
    async (body) => {
      const { client } = await connect({ status: 201, body })
      await expect(client.createTransaction(order)).rejects.toMatchObject({
        name: 'MerchantConnectionError',
        reason: 'broken-answer',
      })
    },
  )
})

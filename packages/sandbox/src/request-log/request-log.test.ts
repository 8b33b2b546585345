import { pages } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cardRequest, railRequest, signedRequest } from '../../../gateway/src/gateway.fixture.js'
import {
  SANDBOX_ORIGIN,
  STORE,
  TEST_MERCHANT,
  type TestSandbox,
  openTestSandbox,
  rawCard,
} from '../sandbox.fixture.js'
import { type RequestFilterText, matchesFilter, readRequestFilter } from './request-filter.js'
import { WAITING_MAX, recordedFetch } from './recorded-fetch.js'
import { REQUESTS_KEPT_MAX, createSqlRequestLogStore } from './request-log-sql.js'

const PAN = '4235647728025682'
const CVV = '987'

for (const engine of TEST_ENGINES) {
  describe(`the request log on ${engine.name}`, () => {
    let test: TestSandbox
    beforeEach(async () => {
      test = await openTestSandbox(engine)
    })
    afterEach(() => test.close())

    const list = async (text: RequestFilterText = {}) => {
      const { filter } = readRequestFilter(text)
      const { items } = await test.sandbox.requests.list(STORE, { filter, limit: 20 })
      return items
    }
    const pay = (reference: string, info: Record<string, unknown>) => {
      const body = cardRequest(reference, info)
      const charge = [{ ...body.charge[0], currency: 'BRL' }]
      const payer = { ...body.payer, ip: '203.0.113.7' }
      return test.send('POST', '/transactions', { body: { ...body, charge, payer } })
    }

    it('knows the newest request with fields that nothing reads, until one is sent without', async () => {
      const { requests } = test.sandbox
      const send = (body: object) => test.send('POST', '/transactions', { body })
      await send(railRequest('order-1', 'pix'))
      expect(await requests.withUnknownFields(STORE)).toBeUndefined()
      await send({ ...railRequest('order-2', 'pix'), metadata: {}, [PAN]: 1 })
      expect(await requests.withUnknownFields(STORE)).toMatchObject({
        target: '/transactions',
        responseHeaders: { 'cofre-unknown-fields': 'metadata, *' },
      })
      expect(await requests.withUnknownFields('store-2')).toBeUndefined()
      await send({})
      expect(await requests.withUnknownFields(STORE)).toBeDefined()
      await send(railRequest('order-3', 'pix'))
      expect(await requests.withUnknownFields(STORE)).toBeUndefined()
    })

    it('keeps a request as received and answered, with what it is about', async () => {
      const { json } = await pay('order-1', rawCard(PAN, CVV))
      const { code } = json.transaction as { code: string }
      const items = await list()
      expect(items).toHaveLength(1)
      const [request] = items
      expect(request).toMatchObject({
        atMs: test.sandbox.clock.now(),
        method: 'POST',
        target: '/transactions',
        statusCode: 201,
        transactionCode: code,
        errorCodes: [],
      })
      expect(JSON.parse(request?.requestBody ?? '')).toMatchObject({
        charge: [
          {
            'payment-info': {
              'credit-card': {
                number: '************5682',
                cvv: '[removed]',
                'expiration-date': '2030-12',
              },
            },
          },
        ],
        payer: { email: 'maria@example.com' },
      })
      expect(JSON.parse(request?.responseBody ?? '')).toEqual(json)
      expect(await test.sandbox.requests.find(STORE, request!.id)).toEqual(request)
      expect(await test.sandbox.requests.find('store-2', request!.id)).toBeUndefined()
    })

    it('keeps boletos and PIX codes as they were answered', async () => {
      for (const rail of ['boleto', 'pix'] as const) {
        const body = railRequest(`order-${rail}`, rail)
        const { json } = await test.send('POST', '/transactions', { body })
        const [request] = await list()
        expect(JSON.parse(request?.responseBody ?? '')).toEqual(json)
      }
    })

    it('keeps refusals with their codes, and lists them apart', async () => {
      await test.send('POST', '/transactions', { body: railRequest('order-1', 'pix') })
      await test.send('POST', '/transactions', { body: {} })
      await test.send('GET', '/nowhere')
      const failed = await list({ status: 'failed' })
      expect(failed.map(({ target, statusCode }) => [target, statusCode])).toEqual([
        ['/nowhere', 404],
        ['/transactions', 400],
      ])
      expect(failed[0]?.errorCodes).toEqual([90001])
      expect(failed[1]?.errorCodes).toContain(210101)
      expect(await list()).toHaveLength(3)
    })

    it('keeps the headers that matter, and nothing that lets another send the request', async () => {
      const body = railRequest('order-1', 'pix')
      const headers = {
        'idempotency-key': PAN,
        'user-agent': 'shop/1',
        cookie: 'session=1',
        'x-api-key': 'key',
      }
      const { status } = await test.send('POST', '/transactions', { body, headers })
      expect(status).toBe(201)
      for (const authorization of [`${STORE}:the-secret-itself`, `${STORE}: Bearer key`])
        await test.send('GET', '/transactions/1', { headers: { authorization } })
      const [unsigned, secret, paid] = await list()
      expect(paid?.requestHeaders).toEqual({
        accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
        authorization: expect.stringMatching(/^store-1:[0-9a-f]{8}…$/) as string,
        'content-type': 'application/json',
        'idempotency-key': '************',
        'user-agent': 'shop/1',
      })
      expect(paid?.responseHeaders).toEqual({
        'content-type': 'application/vnd.cofre.v2+json; charset=UTF-8',
      })
      expect(secret?.requestHeaders.authorization).toBe('store-1:[removed, 25 characters]')
      expect(unsigned?.requestHeaders.authorization).toBe('store-1:[removed, 19 characters]')
    })

    it('keeps of an unsigned request what shows why it is refused', async () => {
      const headers = {
        authorization: `${STORE}:${'0'.repeat(64)}`,
        'content-md5': 'not a digest',
        'signature-input': `x=();tag="${'y'.repeat(300)}"`,
        'idempotency-key': 'maria@example.com',
        'user-agent': 'Maria da Silva, CPF 529.982.247-25',
      }
      await test.send('GET', '/transactions/1', { headers })
      expect((await list())[0]?.requestHeaders).toEqual({
        accept: '[removed, 44 characters]',
        authorization: `${STORE}:00000000…`,
        'content-md5': 'not a digest',
        'content-type': '[removed, 16 characters]',
        'idempotency-key': '[removed, 17 characters]',
        'signature-input': '[removed, 311 characters]',
        'user-agent': '[removed, 34 characters]',
      })
    })

    it('is filtered by path, status and error', async () => {
      const targets = ['/transactions/1', '/Nowhere?a_b=1', '/card?bin=1']
      for (const target of targets) await test.send('GET', target)
      await test.send('POST', '/transactions', { body: railRequest('order-1', 'pix') })
      const all = await list()
      for (const [text, found] of [
        [{ path: 'TRANSACTIONS' }, ['/transactions', '/transactions/1']],
        [{ path: 'a_b' }, ['/Nowhere?a_b=1']],
        [{ path: 'a%b' }, []],
        [{ status: '404' }, ['/Nowhere?a_b=1', '/transactions/1']],
        [{ status: '4XX', path: 'card' }, ['/card?bin=1']],
        [{ status: '2xx' }, ['/transactions']],
        [{ error: '90001' }, ['/Nowhere?a_b=1']],
        [{ error: '9000' }, ['/transactions', '/card?bin=1', '/Nowhere?a_b=1', '/transactions/1']],
        [{ error: '30301', status: '404' }, []],
      ] as readonly (readonly [RequestFilterText, readonly string[]])[]) {
        const requests = await list(text)
        expect([text, requests.map(({ target }) => target)]).toEqual([text, found])
        const { filter } = readRequestFilter(text)
        expect(all.filter((one) => matchesFilter(filter, one))).toEqual(requests)
      }
    })

    it('is not filtered by queries for people who see payers masked', async () => {
      await test.send('GET', '/Nowhere?cpf=52998224725')
      const all = await list()
      for (const [path, count] of [
        ['where', 1],
        ['529982', 0],
        ['where?cpf=5', 0],
      ] as const) {
        const filter = { path, queries: 'not-searched' } as const
        const { items } = await test.sandbox.requests.list(STORE, { filter, limit: 20 })
        expect([path, items.length]).toEqual([path, count])
        expect(all.filter((one) => matchesFilter(filter, one))).toHaveLength(count)
      }
    })

    it('keeps a wrong signature under the store that is claimed, if there is one', async () => {
      for (const id of [STORE, 'nobody'])
        await test.send('GET', '/transactions/1', {
          headers: { authorization: `${id}:${'0'.repeat(64)}` },
        })
      await test.send('GET', '/transactions/1', { headers: { authorization: undefined } })
      expect(await list()).toMatchObject([{ statusCode: 401, errorCodes: [10003] }])
      const rows = await test.database.reader.selectFrom('requests').select('store_id').execute()
      expect(rows).toEqual([{ store_id: STORE }])
    })

    it('knows the transaction of a refund, a search and a report', async () => {
      const { json } = await pay('order-1', rawCard('4111111111111111'))
      const { code } = json.transaction as { code: string }
      const target = `/sandbox/transactions/${code}/status`
      await test.send('GET', `/transactions/${code}`)
      await test.send('POST', target, { body: { status: 'EXPIRED' }, digest: 'hex' })
      const refund = { 'transaction-id': Number(code), 'notify-url': 'https://shop.example/r' }
      const { json: answered } = await test.send('POST', '/refunds', { body: refund })
      const end = `/sandbox/refunds/${answered['refund-id'] as string}/status`
      await test.send('POST', end, { body: { status: 'REJECTED' } })
      await test.send('POST', '/refunds', { body: { ...refund, amount: 10_000 } })
      await test.send('GET', '/transactions/100000000000001')
      const items = await list()
      expect(items.map(({ target: asked, transactionCode }) => [asked, transactionCode])).toEqual([
        ['/transactions/100000000000001', undefined],
        ['/refunds', code],
        [end, code],
        ['/refunds', code],
        [target, code],
        [`/transactions/${code}`, code],
        ['/transactions', code],
      ])
      expect(await test.sandbox.requests.findOf(STORE, code)).toHaveLength(6)
    })

    it('holds nothing of a card but its last four digits, wherever it was sent', async () => {
      const valid = cardRequest('order-1', rawCard(PAN, CVV))
      const charge = [{ ...valid.charge[0], currency: 'BRL' }]
      const bodies: unknown[] = [
        { ...valid, charge, payer: { ...valid.payer, ip: '203.0.113.7' } },
        { ...valid, cart: [{ description: `card ${PAN} cvv ${CVV}` }] },
        { ...valid, payer: { name: PAN, card: { number: Number(PAN), code: CVV } } },
        { ...valid, transaction: { reference: PAN, [PAN]: PAN, cvv: CVV } },
        { nested: JSON.stringify({ number: PAN, cvv: CVV }) },
        { card: [PAN.replaceAll(/(\d{4})/g, '$1 '), CVV] },
        `{"number": "${PAN}", "cvv": "${CVV}"`,
        `number=${PAN}&cvv=${CVV}`,
      ]
      for (const body of bodies) await test.send('POST', '/transactions', { body })
      for (const target of [
        `/transactions/${PAN}`,
        `/card/bin/${PAN}?cvv=${CVV}`,
        `/transactions/378282246310005`,
        `/refunds?number=${PAN.replaceAll(/(\d{4})/g, '$1-')}`,
      ])
        await test.send('GET', target)
      const rows = await test.database.reader.selectFrom('requests').selectAll().execute()
      // Random or measured values may contain any three digits.
      const drawn = ['id', 'at', 'duration_ms', 'transaction_code'] as const
      const code = rows.find((row) => row.transaction_code !== null)?.transaction_code ?? ''
      const kept = JSON.stringify(rows, (name, value: unknown) =>
        drawn.some((other) => other === name) ? null : value,
      ).replaceAll(code, '')
      expect(kept).toContain('************5682')
      for (const secret of [PAN, PAN.slice(0, 12), '4235 6477', '4235-6477', '37828224', CVV])
        expect(kept).not.toContain(secret)
      expect(await list()).toHaveLength(bodies.length + 4)
    })

    it('keeps no body of a request that its store has not signed', async () => {
      const body = railRequest('order-1', 'pix')
      const headers = { authorization: `${STORE}:${'0'.repeat(64)}` }
      await test.send('POST', '/transactions', { body, headers })
      await test.send('POST', '/nowhere', { body, headers })
      await test.send('POST', '/transactions', { body })
      const items = await list()
      expect(items.map(({ statusCode, requestBody }) => [statusCode, typeof requestBody])).toEqual([
        [201, 'string'],
        [404, 'undefined'],
        [401, 'undefined'],
      ])
    })

    it.each([
      'toString',
      'valueOf',
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'toJSON',
      'length',
    ])('keeps a body with %s as a key, wherever it stands', async (key) => {
      const value = JSON.parse(`{"${key}": 1}`) as object
      const request = railRequest('order-1', 'pix')
      const bodies = [
        value,
        { ...request, ...value },
        { 'transaction-id': value, 'notify-url': value },
        { ...request, charge: value },
        { ...request, charge: [value, { 'payment-info': value }] },
        { ...request, payer: { 'credit-card': value } },
      ]
      for (const body of bodies) await test.send('POST', '/refunds', { body })
      const items = await list()
      expect(items).toHaveLength(bodies.length)
      expect(items.at(-1)?.requestBody).toBe(JSON.stringify(value))
    })

    it('keeps a body however deep it is nested', async () => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"transaction-id":', '}'],
      ] as const) {
        const deep = `{"transaction-id":${open.repeat(1500)}1${close.repeat(1500)}}`
        await test.send('POST', '/refunds', { body: JSON.parse(deep) })
      }
      expect(await list()).toHaveLength(2)
    })

    it('keeps the last thousand of a store', async () => {
      const store = createSqlRequestLogStore(test.database, test.machine)
      const request = { ...EMPTY, target: '/' }
      await store.add('store-2', request)
      const adding = Array.from({ length: REQUESTS_KEPT_MAX + 3 }, (_, i) =>
        store.add(STORE, { ...request, target: `/${i}` }),
      )
      await Promise.all(adding)
      // Rows that were added at the same moment did not see one another.
      await store.add(STORE, { ...request, target: '/last' })
      const kept = async (storeId: string) => {
        const query = { filter: {}, limit: REQUESTS_KEPT_MAX + 3 }
        return (await store.list(storeId, query)).items.length
      }
      expect(await kept(STORE)).toBe(REQUESTS_KEPT_MAX)
      expect(await kept('store-2')).toBe(1)
    })

    it('is read in pages, each request once while others come', async () => {
      const store = createSqlRequestLogStore(test.database, test.machine)
      const add = (target: string) => store.add(STORE, { ...EMPTY, target })
      for (const target of ['/1', '/2', '/3', '/4', '/5']) await add(target)
      const seen: string[] = []
      for await (const { target } of pages((after: string | undefined) =>
        store.list(STORE, { filter: {}, after, limit: 2 }),
      )) {
        seen.push(target)
        await add(`/behind ${target}`)
      }
      expect(seen).toEqual(['/5', '/4', '/3', '/2', '/1'])
    })

    it('counts on when another process has drawn the same number', async () => {
      const stores = [1, 2, 3].map(() => createSqlRequestLogStore(test.database, test.machine))
      const request = { ...EMPTY, target: '/' }
      await Promise.all(stores.map((store) => store.add(STORE, request)))
      expect(await list()).toHaveLength(3)
    })
  })
}

const EMPTY = {
  atMs: 1,
  method: 'GET',
  statusCode: 200,
  durationMs: 1,
  transactionCode: undefined,
  requestBody: undefined,
  responseBody: '',
  requestHeaders: {},
  responseHeaders: {},
  errorCodes: [],
}

describe('a recorded application', () => {
  const logged: string[] = []
  beforeEach(() => {
    logged.length = 0
  })
  const never = () => new Promise<never>(() => undefined)
  const deps = (findMerchant: () => Promise<undefined>) => ({
    requests: {} as never,
    backOffice: { findMerchant, findTransaction: never },
    clock: { now: () => 0 },
    log: {
      info: () => undefined,
      warn: (_: object, message: string) => void logged.push(message),
      error: (_: object, message: string) => void logged.push(message),
    },
  })
  const ask = (body?: string) =>
    new Request(
      `${SANDBOX_ORIGIN}/transactions`,
      signedRequest('POST', '/transactions', { body, merchant: TEST_MERCHANT }),
    )

  it('answers though its log hangs', async () => {
    const recorded = recordedFetch(() => new Response('hello'), deps(never))
    const response = await recorded.fetch(ask('{}'), {})
    expect(await response.text()).toBe('hello')
  })

  it('answers even if its log fails, and logs the failure', async () => {
    const failing = () => Promise.reject(new Error('the disk is full'))
    const recorded = recordedFetch(() => new Response('hello'), deps(failing))
    const response = await recorded.fetch(ask('{}'), {})
    expect(await response.text()).toBe('hello')
    await recorded.idle()
    expect(logged).toEqual(['a request could not be kept'])
  })

  it('has kept everything though a body was not read to its end', async () => {
    const recorded = recordedFetch(
      () => new Response('too large', { status: 413 }),
      deps(() => Promise.resolve(undefined)),
    )
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(9))
      },
    })
    const init = { method: 'POST', headers: { authorization: `${STORE}:x` }, body, duplex: 'half' }
    const response = await recorded.fetch(new Request(SANDBOX_ORIGIN, init), {})
    expect(await response.text()).toBe('too large')
    await recorded.idle()
  })

  it('logs that it skips requests while too many wait', async () => {
    const recorded = recordedFetch(() => new Response('hello'), deps(never))
    for (let i = 0; i < WAITING_MAX + 3; i++) await recorded.fetch(ask(), {})
    expect(logged).toEqual([
      'requests are skipped in the request log: too many wait to be recorded',
    ])
  })

  it('gives the application the body as it was sent, and fails as it does', async () => {
    const echo = recordedFetch(async (request) => new Response(await request.text()), deps(never))
    const large = JSON.stringify('x'.repeat(300_000))
    expect(await (await echo.fetch(ask(large), {})).text()).toBe(large)
    const broken = recordedFetch(() => Promise.reject(new Error('broken')), deps(never))
    await expect(broken.fetch(ask('{}'), {})).rejects.toThrow('broken')
  })

  it('leaves payers’ pages and strangers alone', async () => {
    let isAsked = false
    const watch = () => {
      isAsked = true
      return never()
    }
    const recorded = recordedFetch(() => new Response('hello'), deps(watch))
    const headers = { authorization: `${STORE}:x` }
    for (const path of ['/b/x', '/q/x.png', '/w/x/pay', '/pay/x/y', '/openapi.json'])
      await recorded.fetch(new Request(SANDBOX_ORIGIN + path, { headers }), {})
    await recorded.fetch(new Request(`${SANDBOX_ORIGIN}/transactions`), {})
    await recorded.idle()
    expect(isAsked).toBe(false)
  })
})

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmissionControl } from './admission.js'
import { type ServingDeps, servedRequests } from './serve.js'
import { testApplication, testServing } from './serving.fixture.js'

type Answer = Parameters<typeof testApplication>[0]

const CARD = '4111111111111111'

/** The Node server's bindings of a request, and the response with the headers that Node sends. */
function exchangeWith(remoteAddress: string) {
  const outgoing = new ServerResponse(new IncomingMessage(new Socket()))
  return {
    bindings: { incoming: { socket: { remoteAddress, bytesRead: 321 }, headers: {} }, outgoing },
    sent: ({ body, status, headers }: Response) => {
      for (const [name, value] of headers) outgoing.setHeader(name, value)
      return new Response(body, {
        status,
        headers: outgoing.getHeaders() as Record<string, string>,
      })
    },
  }
}

function serve(answer: Answer, { role = 'api', ...over }: Partial<ServingDeps> = {}) {
  const serving = testServing(over)
  const fetch = servedRequests(testApplication(answer), { ...serving, role })
  const ask = async (path: string, init: RequestInit = {}, peer = '203.0.113.9') => {
    const { bindings, sent } = exchangeWith(peer)
    return sent(await fetch(new Request(`http://127.0.0.1${path}`, init), bindings))
  }
  const line = () => JSON.parse(serving.lines.at(-1) ?? '{}') as Record<string, unknown>
  return { ask, line, serving }
}

const errors = (...codes: number[]) =>
  Response.json({ errors: codes.map((code) => ({ code, description: 'x' })) }, { status: 400 })

describe('The line of a request', () => {
  it.each([
    ['/transactions/59572800088955', '/transactions/59572800088955', '/transactions/:code'],
    [
      '/sandbox/store-1/payments/59572800088955',
      '/sandbox/store-1/payments/59572800088955',
      '/:environment/:store/payments/:code',
    ],
    ['/transactions/4111111111111111', '/transactions/[digits]', '/transactions/:code'],
    ['/transactions/378282246310005', '/transactions/[digits]', '/transactions/:code'],
    ['/transactions/4111-1111-1111-1111', '/transactions/[digits]', '/transactions/:code'],
    ['/card/bin/4111%201111%201111%201111', '/card/bin/[digits]', 'unmatched'],
    ['/card/bin/4111,1111,1111,1111', '/card/bin/[digits]', 'unmatched'],
    ['/card/bin/4111%2C1111%3A1111_1111', '/card/bin/[digits]', 'unmatched'],
    ['/card/bin/%34%31%31%31111111111111', '/card/bin/[digits]', 'unmatched'],
    ['/card/bin/%34%31%31%31111111111111%zz', '/card/bin/[digits]%zz', 'unmatched'],
    ['/card/bin/%EF%BC%94111111111111111', '/card/bin/[digits]', 'unmatched'],
    ['/caf%C3%A9%0A/1', '/caf%C3%A9%0A/1', 'unmatched'],
    ['/transactions?page=2', '/transactions', 'unmatched'],
    ['/card/bin/411111', '/card/bin/411111', 'unmatched'],
    [`/card/bin/${CARD}`, '/card/bin/[digits]', 'unmatched'],
    [`/${CARD}/x`, '/[digits]/x', 'unmatched'],
    [
      '/transactions/security-code-token=737',
      '/transactions/security-code-token=***',
      '/transactions/:code',
    ],
    ['/saved-cards/cvv/7371', '/saved-cards/cvv/***', 'unmatched'],
  ])('writes %s as %s', async (target, path, route) => {
    const { ask, line } = serve(() => new Response())
    await ask(target)
    expect(line()).toMatchObject({ path, route, method: 'GET', status: 200, role: 'api' })
  })

  it('treats a plain address on the fast path like any other', async () => {
    const { ask, line } = serve(() => new Response())
    const pathOf = async (target: string) => {
      await ask(target)
      return line().path
    }
    const number = fc.oneof(
      fc.stringMatching(/^[0-9]{1,20}$/),
      fc.constantFrom(CARD, '378282246310005', '30569309025904'),
    )
    const address = fc.oneof(
      number.map((digits) => `/transactions/${digits}`),
      fc.stringMatching(/^\/[a-z-]{1,12}$/),
    )
    await fc.assert(
      fc.asyncProperty(address, async (plain) => {
        expect(`${String(await pathOf(plain))}/`).toBe(await pathOf(`${plain}/`))
      }),
    )
  })

  it.each([
    ['/b/bol_secret', '/b/[address]'],
    ['/b/bol_secret.pdf', '/b/[address]'],
    ['/q/pix_secret.png?size=2', '/q/[address]'],
    ['/w/wal_secret/pay', '/w/[address]/pay'],
    ['/inbox/inb_secret', '/inbox/[address]'],
    ['/a/aut_secret/return?redirectResult=res_secret', '/a/[address]/return'],
    ['/%62/bol_secret', '/b/[address]'],
    ['/pay/lnk_secret', '/pay/[address]'],
    ['/pay/lnk_secret/try_secret/state', '/pay/[address]'],
    ['/p%61y/lnk_secret%0A/try_secret?x=_secret', '/pay/[address]'],
    ['/payment-links/lnk_secret', '/payment-links/[address]'],
    ['/payment-links/lnk_secret/revocations', '/payment-links/[address]/revocations'],
    ['/sandbox/store/payment-l%69nks/lnk_secret', '/sandbox/store/payment-links/[address]'],
    ['/notices/account/not_secret', '/notices/account/[address]'],
    ['/notices/account/not_secret/pix', '/notices/account/[address]'],
    ['/notices//not_secret', '/notices//[address]'],
    ['/proxy/Notices/account/not_secret?hmac=not_secret', '/proxy/Notices/account/[address]'],
    ['/n%6Ftices/account%2Fnot_secret', '/notices/account/[address]'],
  ])('leaves the secret part out of %s', async (target, path) => {
    const { ask, line, serving } = serve(() => new Response())
    await ask(target)
    await ask(target, { method: 'PUT' })
    expect(line()).toMatchObject({ path })
    expect(serving.lines.join('')).not.toContain('_secret')
  })

  it.each([
    ['the client', '203.0.113.9', undefined, '203.0.113.9'],
    ['the client that a proxy of ours names', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a stranger, whatever it says', '203.0.113.9', '198.51.100.7', '203.0.113.9'],
  ])('names the address of %s', async (_, peer, forwarded, address) => {
    const { ask, line } = serve(() => new Response())
    await ask(
      '/',
      forwarded === undefined ? {} : { headers: { 'X-Forwarded-For': forwarded } },
      peer,
    )
    expect(line().address).toBe(address)
  })

  describe('of a slow request', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['performance'] })
    })
    afterEach(() => {
      vi.useRealTimers()
    })
    const takes = (ms: number, status = 200) =>
      serve(() => {
        vi.advanceTimersByTime(ms)
        return status === 200 ? new Response() : errors(10003)
      })

    it('is a warning with the received bytes and the claimed store', async () => {
      const { ask, line } = takes(1000, 401)
      await ask('/transactions/1', { headers: { Authorization: 'store-1:00' } })
      expect(line()).toMatchObject({
        level: 40,
        address: '203.0.113.9',
        claimedStore: 'store-1',
        receivedBytes: 321,
        durationMs: 1000,
      })
      expect(line().store).toBeUndefined()
    })

    it.each([
      ['a card’s number', `${CARD}:00`, '[digits]'],
      ['no store', 'Bearer secret', undefined],
      ['nothing', undefined, undefined],
    ])('claims nothing that must not be kept: %s', async (_, authorization, claimedStore) => {
      const { ask, line } = takes(1000)
      await ask('/', authorization === undefined ? {} : { headers: { authorization } })
      expect(line().claimedStore).toBe(claimedStore)
    })

    it('is as any other when the answer comes sooner', async () => {
      const { ask, line } = takes(999)
      await ask('/', { headers: { Authorization: 'store-1:00' } })
      expect(line()).toMatchObject({ level: 30 })
      expect(Object.keys(line())).not.toContain('claimedStore')
      expect(Object.keys(line())).not.toContain('receivedBytes')
    })
  })

  it('names the errors that were returned, each once, and only those of the catalogue', async () => {
    const { ask, line, serving } = serve(() => errors(10003, 10003, 10201, 4111))
    const answer = await ask('/transactions/1')
    expect(line()).toMatchObject({ errors: [10003, 10201], status: 400 })
    expect(await answer.json()).toMatchObject({ errors: { length: 4 } })
    const counted = await serving.metrics.errors.get()
    expect(counted.values.map(({ labels }) => labels.code)).toEqual([10003, 10201])
  })

  it('names the store that has signed, and no store that has not', async () => {
    const { ask, line } = serve(async (_, bindings) => {
      await (bindings as { admitStore(id: string): Promise<void> }).admitStore('store-1')
      return new Response()
    })
    await ask('/transactions/1')
    expect(line().store).toBe('store-1')
    const other = serve(() => errors(10003))
    await other.ask('/transactions/1', { headers: { Authorization: 'store-1:00' } })
    expect(other.line().store).toBeUndefined()
  })

  it('has nothing of headers, query and body', async () => {
    const { ask, serving } = serve(async (request) => Response.json(await request.json()))
    await ask(`/transactions/1?card=${CARD}`, {
      method: 'POST',
      headers: { Authorization: `store:${CARD}`, Cookie: CARD, 'X-Request-Id': CARD },
      body: JSON.stringify({ card: CARD }),
    })
    expect(serving.lines).toHaveLength(1)
    expect(serving.lines.join('')).not.toContain(CARD)
  })
})

describe('Requests that come every few seconds', () => {
  it.each([
    ['metrics', '/healthz', 200, 0],
    ['metrics', '/healthz', 503, 1],
    ['vault-service', '/v1/changes', 200, 0],
    ['vault-service', '/v1/changes', 401, 1],
    ['vault-service', '/v1/acknowledgements', 200, 1],
    ['api', '/v1/changes', 200, 1],
  ])('have of %s %s, answered %i, %i lines', async (role, path, status, lines) => {
    const { ask, serving } = serve(() => new Response(null, { status }), { role })
    await ask(path, { method: 'POST' })
    expect(serving.lines).toHaveLength(lines)
  })
})

describe('The id of a request', () => {
  it('is taken over from our proxy', async () => {
    const { ask, line } = serve(() => new Response())
    const answer = await ask('/', { headers: { 'X-Request-Id': 'abc-1' } }, '10.0.0.1')
    expect(answer.headers.get('X-Request-Id')).toBe('abc-1')
    expect(line().requestId).toBe('abc-1')
  })

  it.each([
    ['a stranger', '203.0.113.9', 'abc-1'],
    ['a proxy that says nonsense', '10.0.0.1', 'a b<script>'],
  ])('is not taken over from %s', async (_, peer, given) => {
    const { ask } = serve(() => new Response())
    const answer = await ask('/', { headers: { 'X-Request-Id': given } }, peer)
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('Metrics of requests', () => {
  it('have labels of closed sets, whatever is requested', async () => {
    const { ask, serving } = serve(() => new Response())
    for (let i = 0; i < 50; i++) await ask(`/${CARD}/${i}`, { method: `M${i}` })
    await ask('/transactions/1')
    await ask('/transactions/2')
    const { values } = await serving.metrics.requests.get()
    expect(values.map(({ labels, value }) => [labels.route, labels.method, value])).toEqual([
      ['unmatched', 'OTHER', 50],
      ['/transactions/:code', 'GET', 2],
    ])
  })
})

describe('Headers of every answer', () => {
  it('are there, unless the application has its own', async () => {
    const { ask } = serve(() => new Response('', { headers: { 'Referrer-Policy': 'same-origin' } }))
    const { headers } = await ask('/')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('same-origin')
    expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
  })
})

describe('An answer', () => {
  it('waits for the end of its turn, and no longer', async () => {
    const { ask, serving } = serve(() => new Response())
    let isGiven = false
    void ask('/').then(() => (isGiven = true))
    for (let i = 0; i < 1000; i++) await Promise.resolve()
    expect(serving.lines).toHaveLength(1)
    expect(isGiven).toBe(false)
    await new Promise(setImmediate)
    expect(isGiven).toBe(true)
  })
})

describe('A process', () => {
  const limited = (over: Partial<Parameters<typeof createAdmissionControl>[0]>) => ({
    control: createAdmissionControl({
      requestsAtOnce: 10,
      requestsPerMinute: 0,
      storeRequestsPerMinute: 0,
      ...over,
    }),
  })

  it('refuses an address that asks too often, and no other', async () => {
    const { ask, line } = serve(() => new Response(), limited({ requestsPerMinute: 2 }))
    await ask('/')
    await ask('/')
    const refused = await ask('/')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({
      errors: [{ code: 90005, description: 'too_many_requests' }],
    })
    expect(line()).toMatchObject({ status: 429, errors: [90005] })
    expect((await ask('/', {}, '203.0.113.10')).status).toBe(200)
  })

  it('refuses a store that asks too often, once it has signed', async () => {
    const { ask } = serve(
      async (_, bindings) => {
        try {
          await (bindings as { admitStore(id: string): Promise<void> }).admitStore('store-1')
          return new Response()
        } catch {
          return errors(90005)
        }
      },
      limited({ storeRequestsPerMinute: 1 }),
    )
    expect((await ask('/')).headers.has('Retry-After')).toBe(false)
    expect(Number((await ask('/')).headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  it('refuses what is more than it can do at once, and takes on again', async () => {
    const { promise: isFinished, resolve: finish } = Promise.withResolvers<undefined>()
    const limits = limited({ requestsAtOnce: 2 })
    const { ask } = serve(async () => {
      await isFinished
      return new Response()
    }, limits)
    const running = [ask('/'), ask('/')]
    const refused = await ask('/')
    expect(limits.control.underWay()).toBe(2)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('Retry-After')).toBe('2')
    expect(await refused.json()).toMatchObject({ errors: [{ code: 90006 }] })
    finish(undefined)
    for (const answer of await Promise.all(running)) expect(answer.status).toBe(200)
    expect((await ask('/')).status).toBe(200)
    expect(limits.control.underWay()).toBe(0)
  })
})

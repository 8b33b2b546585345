import type { RequestListener } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { HOUR_MS, MINUTE_MS, SECOND_MS, Secret } from '@cofre/contracts'
import Provider from 'oidc-provider'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeCertificate } from '../../test/certificates.js'
import { type TestServer, authority, startHttpsServer } from '../../test/https-server.js'
import {
  type AuthorizedClient,
  type TokenGrant,
  createAuthorizedClient,
} from './authorized-client.js'
import { createCallBudget } from './call-budget.js'
import { readClientCertificate } from './client-certificate.js'
import { type OutboundClient, createOutboundClient } from './outbound-client.js'

const SECRET = 'a-secret-of-the-shop'
const shop = makeCertificate({ name: 'Shop', kind: 'client', issuer: authority })
const certificate = readClientCertificate(
  { file: Buffer.from(shop.certificatePem + shop.keyPem) },
  { nowMs: Date.now() },
)

let nowMs: number
const clock = { now: () => nowMs }
const logged: string[] = []
const write = (fields: Record<string, unknown>): void => {
  logged.push(JSON.stringify(fields))
}
const open: (TestServer | OutboundClient)[] = []
beforeEach(() => {
  nowMs = Date.now()
  logged.length = 0
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
  expect(logged.join()).not.toContain(SECRET)
  expect(logged.join()).not.toMatch(/token-\d/)
})

function authorized(grant: TokenGrant, budget = createCallBudget({ clock })): AuthorizedClient {
  const log = { info: write, warn: write, error: write }
  const simulatorCaPem = authority.certificatePem
  const options = { account: 'a1', budget, clock, log, certificate, simulatorCaPem }
  const client = createOutboundClient(options)
  open.push(client)
  return createAuthorizedClient(client, grant, clock)
}

describe('a token from a certified server (oidc-provider)', () => {
  let server: TestServer
  let seen: { authorization: string | undefined; body: string }[]

  beforeEach(async () => {
    // The provider warns at each start that its defaults are for development.
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    vi.spyOn(console, 'info').mockImplementation(() => undefined)
    seen = []
    let answer: RequestListener = () => undefined
    server = await startHttpsServer(
      (request, response) => {
        answer(request, response)
      },
      { requestCert: true, rejectUnauthorized: true },
    )
    open.push(server)
    const provider = new Provider(server.origin, configuration()).callback()
    answer = (request, response) => {
      if (request.url !== '/api') {
        provider(request, response)
        return
      }
      const { authorization } = request.headers
      seen.push({ authorization, body: '' })
      response.end('{}')
    }
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  /** Introspection returns the certificate that the token is bound to. */
  async function thumbprintOf(token: string): Promise<unknown> {
    const log = { info: write, warn: write, error: write }
    const budget = createCallBudget({ clock })
    const simulatorCaPem = authority.certificatePem
    const options = { account: 'a1', budget, clock, log, certificate, simulatorCaPem }
    const client = createOutboundClient(options)
    open.push(client)
    const outcome = await client.send({
      operation: 'introspection',
      method: 'POST',
      url: `${server.origin}/token/introspection`,
      body: {
        contentType: 'application/x-www-form-urlencoded',
        text: new Secret(
          String(new URLSearchParams({ token, client_id: 'post', client_secret: SECRET })),
        ),
      },
    })
    if (outcome.kind !== 'done') return outcome
    const { body } = outcome.value
    return body.kind === 'json' ? body.value : outcome
  }

  it.each([
    ['basic', 'basic'],
    ['body', 'post'],
    ['none', 'tls'],
  ] as const)(
    'is given for client authentication %s, bound to our certificate',
    async (clientAuth, clientId) => {
      const client = authorized({
        url: `${server.origin}/token`,
        clientId,
        ...(clientAuth !== 'none' && { clientSecret: new Secret(SECRET) }),
        clientAuth,
        bodyFormat: 'form',
        scope: 'cob.read cob.write',
      })
      const call = { operation: 'api', method: 'GET', url: `${server.origin}/api` } as const
      expect(await client.send(call)).toMatchObject({ kind: 'done' })
      const token = /^Bearer (.+)$/.exec(seen[0]?.authorization ?? '')?.[1] ?? ''
      expect(await thumbprintOf(token)).toMatchObject({
        active: true,
        scope: 'cob.read cob.write',
        cnf: { 'x5t#S256': certificate.thumbprint },
      })
    },
  )

  it('is refused for a wrong secret, and the call is not sent', async () => {
    const client = authorized({
      url: `${server.origin}/token`,
      clientId: 'post',
      clientSecret: new Secret('wrong'),
      clientAuth: 'body',
      bodyFormat: 'form',
    })
    const call = { operation: 'api', method: 'PUT', url: `${server.origin}/api` } as const
    expect(await client.send(call)).toMatchObject({
      kind: 'not-sent',
      reason: 'credentials_refused',
      detail: 'token request: status 401, invalid_client',
    })
    expect(seen).toEqual([])
  })

  function configuration(): object {
    const common = {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      scope: 'cob.read cob.write',
      tls_client_certificate_bound_access_tokens: true,
    }
    const peer = (ctx: { socket: TLSSocket }): TLSSocket => ctx.socket
    return {
      scopes: ['cob.read', 'cob.write'],
      clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'tls_client_auth'],
      clients: [
        { ...common, client_id: 'basic', client_secret: SECRET },
        {
          ...common,
          client_id: 'post',
          client_secret: SECRET,
          token_endpoint_auth_method: 'client_secret_post',
        },
        {
          ...common,
          client_id: 'tls',
          token_endpoint_auth_method: 'tls_client_auth',
          tls_client_auth_subject_dn: 'CN=Shop',
        },
      ],
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        introspection: { enabled: true, allowedPolicy: () => true },
        mTLS: {
          enabled: true,
          certificateBoundAccessTokens: true,
          tlsClientAuth: true,
          getCertificate: (ctx: { socket: TLSSocket }) => peer(ctx).getPeerX509Certificate(),
          certificateAuthorized: (ctx: { socket: TLSSocket }) => peer(ctx).authorized,
          certificateSubjectMatches: (
            ctx: { socket: TLSSocket },
            _property: string,
            expected: string,
          ) => peer(ctx).getPeerX509Certificate()?.subject === expected,
        },
      },
    }
  }
})

interface TokenServer extends TestServer {
  /** Answers of the token endpoint in turn; the last one repeats. */
  tokenAnswers: (object | number | string)[]
  /** The only token that the API accepts; undefined: all. */
  accepted: string | undefined
  readonly tokenRequests: {
    contentType: string | undefined
    authorization: string | undefined
    body: string
    url: string
  }[]
  readonly apiCalls: (string | undefined)[]
}

async function startTokenServer(): Promise<TokenServer> {
  let issued = 0
  const state: Omit<TokenServer, keyof TestServer> = {
    tokenAnswers: [],
    accepted: undefined,
    tokenRequests: [],
    apiCalls: [],
  }
  const server = await startHttpsServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { authorization, 'content-type': contentType } = request.headers
      const url = request.url ?? ''
      if (!url.startsWith('/oauth')) {
        state.apiCalls.push(authorization)
        const isTaken = state.accepted === undefined || authorization === `Bearer ${state.accepted}`
        const isAccepted = isTaken && url !== '/refused'
        response.writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json' }).end('{}')
        return
      }
      state.tokenRequests.push({ contentType, authorization, body, url })
      const answers = state.tokenAnswers
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      const token = { access_token: `token-${++issued}`, token_type: 'Bearer', expires_in: 3600 }
      const status = typeof answer === 'number' ? answer : 200
      const text =
        typeof answer === 'string'
          ? answer
          : JSON.stringify(typeof answer === 'object' ? { ...token, ...answer } : token)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  open.push(server)
  return Object.assign(state, server)
}

const grantOf = (server: TestServer, changes: Partial<TokenGrant> = {}): TokenGrant => ({
  url: `${server.origin}/oauth/token`,
  clientId: 'Client_Id_1',
  clientSecret: new Secret(SECRET),
  clientAuth: 'basic',
  bodyFormat: 'form',
  ...changes,
})
const get = (server: TestServer) =>
  ({ operation: 'api', method: 'GET', url: `${server.origin}/api` }) as const

describe('a token request', () => {
  const basic = `Basic ${Buffer.from(`Client_Id_1:${SECRET}`).toString('base64')}`
  it.each<[string, Partial<TokenGrant>, object]>([
    [
      'is a form with Basic, unencoded',
      {},
      {
        contentType: 'application/x-www-form-urlencoded',
        authorization: basic,
        body: 'grant_type=client_credentials',
      },
    ],
    [
      'is JSON with Basic',
      { bodyFormat: 'json' },
      {
        contentType: 'application/json',
        authorization: basic,
        body: '{"grant_type":"client_credentials"}',
      },
    ],
    [
      'is a form with id and secret',
      { clientAuth: 'body', scope: 'cob.read' },
      {
        authorization: undefined,
        body: `scope=cob.read&grant_type=client_credentials&client_id=Client_Id_1&client_secret=${SECRET}`,
      },
    ],
    [
      'is a form with the id alone',
      { clientAuth: 'none' },
      { body: 'grant_type=client_credentials&client_id=Client_Id_1' },
    ],
  ])('%s', async (_, changes, expected) => {
    const server = await startTokenServer()
    await authorized(grantOf(server, changes)).send(get(server))
    expect(server.tokenRequests).toMatchObject([expected])
  })

  it('does not repeat its address’s parameters in the body', async () => {
    const server = await startTokenServer()
    const url = `${server.origin}/oauth/token?grant_type=client_credentials`
    await authorized(grantOf(server, { url, clientAuth: 'body' })).send(get(server))
    expect(server.tokenRequests).toMatchObject([
      {
        url: '/oauth/token?grant_type=client_credentials',
        body: `client_id=Client_Id_1&client_secret=${SECRET}`,
      },
    ])
  })

  it.each<[string, object | number | string, string, string]>([
    ['400', 400, 'credentials_refused', 'status 400'],
    ['401', 401, 'credentials_refused', 'status 401'],
    ['403', 403, 'credentials_refused', 'status 403'],
    ['429', 429, 'token_unavailable', 'status 429'],
    ['500', 500, 'token_unavailable', 'status 500'],
    ['HTML', '<html>maintenance</html>', 'token_unavailable', 'cannot be read'],
    ['an empty answer', '', 'token_unavailable', 'no JSON'],
    ['no token', { access_token: '' }, 'token_unavailable', 'OAUTH_INVALID_RESPONSE'],
    ['another kind of token', { token_type: 'mac' }, 'token_unavailable', 'OAUTH_UNSUPPORTED'],
  ])('that fails with %s leaves the call unsent', async (_, answer, reason, detail) => {
    const server = await startTokenServer()
    server.tokenAnswers = [answer]
    const outcome = await authorized(grantOf(server)).send(get(server))
    expect(outcome).toMatchObject({ kind: 'not-sent', reason })
    expect('detail' in outcome ? outcome.detail : '').toContain(detail)
    expect(server.apiCalls).toEqual([])
  })

  it('is not made more than four times a minute, and the first reason stays visible', async () => {
    const server = await startTokenServer()
    server.tokenAnswers = [401]
    const client = authorized(grantOf(server))
    for (let call = 0; call < 10; call++) await client.send(get(server))
    expect(server.tokenRequests).toHaveLength(4)
    expect(await client.send(get(server))).toMatchObject({
      reason: 'credentials_refused',
      retryAfterMs: MINUTE_MS,
    })
    server.tokenAnswers = []
    nowMs += MINUTE_MS
    expect(await client.send(get(server))).toMatchObject({ kind: 'done' })
  })
})

describe('a token', () => {
  it('is taken once for calls at the same time, and kept', async () => {
    const server = await startTokenServer()
    const client = authorized(grantOf(server))
    await Promise.all(Array.from({ length: 5 }, () => client.send(get(server))))
    await client.send(get(server))
    expect(server.tokenRequests).toHaveLength(1)
    expect(new Set(server.apiCalls)).toEqual(new Set(['Bearer token-1']))
  })

  it('is requested by a sign-in without a call, which reports a refusal', async () => {
    const server = await startTokenServer()
    const client = authorized(grantOf(server))
    expect(await client.signIn()).toBeUndefined()
    expect(await client.send(get(server))).toMatchObject({ kind: 'done' })
    expect([server.tokenRequests.length, server.apiCalls.length]).toEqual([1, 1])
    server.tokenAnswers = [401]
    const refused = await authorized(grantOf(server)).signIn()
    expect(refused).toMatchObject({ kind: 'not-sent', reason: 'credentials_refused' })
  })

  it.each([
    ['a minute before its end', { expires_in: 3600 }, HOUR_MS - MINUTE_MS],
    ['a minute before its end, given as text', { expires_in: '600' }, 9 * MINUTE_MS],
    ['at half of a short life', { expires_in: 30 }, 15 * SECOND_MS],
    ['after four minutes when nothing is said', { expires_in: undefined }, 4 * MINUTE_MS],
  ])('is renewed %s', async (_, answer, renewedAfterMs) => {
    const server = await startTokenServer()
    server.tokenAnswers = [answer]
    const client = authorized(grantOf(server))
    await client.send(get(server))
    nowMs += renewedAfterMs - 1
    await client.send(get(server))
    expect(server.tokenRequests).toHaveLength(1)
    nowMs += 1
    await client.send(get(server))
    expect(server.tokenRequests).toHaveLength(2)
  })

  it('is used to its end while it cannot be renewed', async () => {
    const server = await startTokenServer()
    server.tokenAnswers = [{}, 500]
    const client = authorized(grantOf(server))
    await client.send(get(server))
    nowMs += HOUR_MS - MINUTE_MS
    expect(await client.send(get(server))).toMatchObject({ kind: 'done' })
    nowMs += MINUTE_MS
    expect(await client.send(get(server))).toMatchObject({ reason: 'token_unavailable' })
  })

  it.each([-5, 5])('lives by our own clock, also one that is %i minutes wrong', async (minutes) => {
    const server = await startTokenServer()
    nowMs += minutes * MINUTE_MS
    const client = authorized(grantOf(server))
    for (let call = 0; call < 3; call++) await client.send(get(server))
    expect(server.tokenRequests).toHaveLength(1)
  })

  it('is renewed once when a call is answered 401', async () => {
    const server = await startTokenServer()
    const client = authorized(grantOf(server))
    await client.send(get(server))
    server.accepted = 'token-2'
    const outcomes = await Promise.all([client.send(get(server)), client.send(get(server))])
    expect(outcomes).toMatchObject([{ kind: 'done' }, { kind: 'done' }])
    expect(server.tokenRequests).toHaveLength(2)
  })

  it('stays with the other calls when one address always answers 401', async () => {
    const server = await startTokenServer()
    const client = authorized(grantOf(server))
    const refused = { ...get(server), url: `${server.origin}/refused` }
    for (let call = 0; call < 5; call++) {
      expect(await client.send(refused)).toMatchObject({ kind: 'refused', status: 401 })
      expect(await client.send(get(server))).toMatchObject({ kind: 'done' })
    }
    expect(server.tokenRequests).toHaveLength(2)
    nowMs += 30 * SECOND_MS
    server.accepted = 'token-3'
    expect(await client.send(get(server))).toMatchObject({ kind: 'done' })
  })

  it('is not renewed for ever when calls stay refused', async () => {
    const server = await startTokenServer()
    server.accepted = 'none'
    const client = authorized(grantOf(server))
    expect(await client.send(get(server))).toMatchObject({ kind: 'refused', status: 401 })
    expect(server.tokenRequests).toHaveLength(2)
    expect(server.apiCalls).toHaveLength(2)
  })
})

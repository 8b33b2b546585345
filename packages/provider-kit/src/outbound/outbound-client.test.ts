import type { ServerResponse } from 'node:http'
import net from 'node:net'
import { type Log, MINUTE_MS, Secret } from '@cofre/contracts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeCertificate } from '../../test/certificates.js'
import { type TestServer, authority, startHttpsServer, started } from '../../test/https-server.js'
import { createCallBudget } from './call-budget.js'
import { type ClientCertificate, readClientCertificate } from './client-certificate.js'
import {
  type OutboundCall,
  type OutboundClient,
  type OutboundOptions,
  createOutboundClient,
} from './outbound-client.js'

const nowMs = Date.now()
const clock = { now: () => nowMs }
const lines: string[] = []
const write = (fields: Record<string, unknown>, message: string): void => {
  lines.push(JSON.stringify({ ...fields, message }))
}
const log: Log = { info: write, warn: write, error: write }

const open: (TestServer | OutboundClient)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
  lines.length = 0
  vi.unstubAllEnvs()
})

function kept<T extends TestServer | OutboundClient>(one: T): T {
  open.push(one)
  return one
}

function clientWith(options: Partial<OutboundOptions> = {}): OutboundClient {
  const budget = createCallBudget({ clock })
  const simulatorCaPem = authority.certificatePem
  return kept(
    createOutboundClient({ account: 'a1', budget, clock, log, simulatorCaPem, ...options }),
  )
}

async function served(answer: (response: ServerResponse) => void): Promise<string> {
  const server = await startHttpsServer((request, response) => {
    request.resume().on('end', () => {
      answer(response)
    })
  })
  return kept(server).origin
}

const put = (url: string): OutboundCall => ({
  operation: 'cob.create',
  method: 'PUT',
  url,
  headers: { authorization: new Secret('Bearer abc123def456') },
  body: { contentType: 'application/json', text: new Secret('{"valor":"1.00"}') },
})

const answering =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

describe('what an answer means', () => {
  const html = '<html><body>Gateway of bearer abc123def456: 529.982.247-25</body></html>'

  it.each<[string, (response: ServerResponse) => void, object]>([
    ['201 with JSON', answering(201, '{"a":1}'), { kind: 'done', value: { status: 201 } }],
    ['204', answering(204, ''), { kind: 'done', value: { body: { kind: 'empty' } } }],
    [
      '200 with HTML',
      answering(200, html, { 'content-type': 'text/html' }),
      { kind: 'unknown', reason: 'answer_unreadable' },
    ],
    [
      '404 with a problem',
      answering(404, '{"type":"…/NaoEncontrado"}', { 'content-type': 'application/problem+json' }),
      { kind: 'refused', body: { kind: 'json', value: { type: '…/NaoEncontrado' } } },
    ],
    [
      '403 with HTML',
      answering(403, html, { 'content-type': 'text/html' }),
      {
        kind: 'refused',
        status: 403,
        body: {
          kind: 'unreadable',
          excerpt: '<html><body>Gateway of [hidden]: [hidden]</body></html>',
        },
      },
    ],
    ['429 with Retry-After', answering(429, '', { 'retry-after': '7' }), { retryAfterMs: 7000 }],
    [
      '503 with Retry-After',
      answering(503, '{}', { 'retry-after': '30' }),
      { kind: 'unknown', reason: 'server_error', retryAfterMs: 30_000 },
    ],
    ['500', answering(500, 'oops'), { kind: 'unknown', reason: 'server_error', status: 500 }],
    ['408', answering(408, ''), { kind: 'unknown', reason: 'server_error' }],
    [
      'a redirect, which is not followed',
      answering(307, '', { location: 'https://127.0.0.1:1/' }),
      { kind: 'unknown', reason: 'unexpected_status' },
    ],
    [
      '10 MB',
      answering(200, JSON.stringify('x'.repeat(10 * 1024 * 1024))),
      { kind: 'unknown', reason: 'answer_too_large' },
    ],
    [
      '10 MB with a refusal',
      answering(400, JSON.stringify('x'.repeat(10 * 1024 * 1024))),
      { kind: 'refused', status: 400, body: { kind: 'unreadable', excerpt: '' } },
    ],
    [
      'a connection that ends after the request',
      (response) => response.socket?.destroy(),
      { kind: 'unknown', reason: 'connection_cut' },
    ],
    [
      'a connection that ends within the answer',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"a":', () => {
          response.socket?.destroy()
        })
      },
      { kind: 'unknown', reason: 'connection_cut' },
    ],
    ['silence', () => undefined, { kind: 'unknown', reason: 'timeout' }],
    [
      'an answer that stops',
      (response) => response.writeHead(200, { 'content-length': '100' }).write('{"a":'),
      { kind: 'unknown', reason: 'timeout' },
    ],
    [
      'something that is not HTTP',
      (response) => response.socket?.end('SSH-2.0-OpenSSH\r\n\r\n'),
      { kind: 'unknown' },
    ],
  ])('%s', async (_, answer, expected) => {
    const isSilent = 'reason' in expected && expected.reason === 'timeout'
    const client = clientWith({ limits: isSilent ? { totalMs: 500 } : {} })
    const outcome = await client.send(put(await served(answer)))
    expect(outcome).toMatchObject(expected)
  })

  it('obeys Retry-After for every call of the account', async () => {
    let nowAt = nowMs
    const moving = { now: () => nowAt }
    const client = clientWith({ clock: moving, budget: createCallBudget({ clock: moving }) })
    const origin = await served(answering(429, '', { 'retry-after': '20' }))
    await client.send(put(origin))
    const paused = { kind: 'not-sent', reason: 'paused_by_provider' }
    expect(await client.send(put(origin))).toMatchObject({ ...paused, retryAfterMs: 20_000 })
    nowAt += 20_000
    expect(await client.send(put(origin))).toMatchObject({ kind: 'refused', status: 429 })
  })

  it('is logged by name, without address, body, token or what a page repeats', async () => {
    const origin = await served(answering(403, html))
    await clientWith().send(put(`${origin}/webhook/ana%40example.com`))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      account: 'a1',
      operation: 'cob.create',
      outcome: 'refused',
      status: 403,
      excerpt: '<html><body>Gateway of [hidden]: [hidden]</body></html>',
    })
    expect(lines.join()).not.toMatch(/abc123|529[.]982|valor|webhook|ana/)
  })
})

describe('a call that is certainly not sent', () => {
  const client = makeCertificate({ name: 'Shop', kind: 'client', issuer: authority })
  const read = ({ certificatePem, keyPem }: typeof client): ClientCertificate =>
    readClientCertificate({ file: Buffer.from(certificatePem + keyPem) }, { nowMs })

  it('goes to a closed port', async () => {
    const server = await startHttpsServer(() => undefined)
    await server.close()
    expect(await clientWith().send(put(server.origin))).toMatchObject({
      kind: 'not-sent',
      reason: 'no_connection',
    })
  })

  it('goes to a server that ends the connection before the handshake', async () => {
    const { origin } = kept(await started(net.createServer((socket) => socket.destroy())))
    expect(await clientWith().send(put(origin))).toMatchObject({
      kind: 'not-sent',
      reason: 'no_connection',
    })
  })

  it('goes to a server that does not finish the handshake', async () => {
    const { origin } = kept(await started(net.createServer()))
    const client = clientWith({ limits: { connectMs: 100 } })
    expect(await client.send(put(origin))).toMatchObject({
      kind: 'not-sent',
      reason: 'connect_timeout',
    })
  })

  const past = { validFrom: new Date(nowMs - 9e9), validTo: new Date(nowMs - 1e6) }
  const stranger = makeCertificate({ name: 'Strange CA', kind: 'authority' })
  it.each([
    ['of an unknown authority', { issuer: stranger }],
    ['that signs itself', {}],
    ['that has expired', { issuer: authority, ...past }],
    ['for another name', { issuer: authority, kind: 'authority' as const }],
    ['for clients', { issuer: authority, kind: 'client' as const }],
  ])('goes to a server with a certificate %s, whatever the environment', async (_, setup) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const own = makeCertificate({ name: 'elsewhere', kind: 'server', ...setup })
    const tls = { cert: own.certificatePem, key: own.keyPem }
    const { origin } = kept(await startHttpsServer(() => undefined, tls))
    expect(await clientWith().send(put(origin))).toMatchObject({
      kind: 'not-sent',
      reason: 'server_not_trusted',
    })
  })

  it('trusts a simulator’s authority only for the account that names it', async () => {
    const origin = await served(answering(200, '{}'))
    const options = { account: 'a2', budget: createCallBudget({ clock }), clock, log }
    const live = kept(createOutboundClient(options))
    expect(await live.send(put(origin))).toMatchObject({ reason: 'server_not_trusted' })
    expect(await clientWith().send(put(origin))).toMatchObject({ kind: 'done' })
  })

  it('lacks the client certificate that the server demands', async () => {
    const demand = { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' as const }
    const server = await startHttpsServer((_, response) => response.end('{}'), demand)
    const { origin } = kept(server)
    expect(await clientWith().send(put(origin))).toMatchObject({
      kind: 'not-sent',
      reason: 'certificate_refused',
    })
    expect(await clientWith({ certificate: read(client) }).send(put(origin))).toMatchObject({
      kind: 'done',
    })
  })

  it('is never taken for accepted when TLS 1.3 refuses the certificate late', async () => {
    let calls = 0
    const demand = { requestCert: true, rejectUnauthorized: true }
    const server = await startHttpsServer(() => calls++, demand)
    const { origin } = kept(server)
    const foreign = makeCertificate({ name: 'Shop', kind: 'client', issuer: stranger })
    expect(await clientWith().send(put(origin))).toMatchObject({
      kind: 'not-sent',
      reason: 'certificate_refused',
    })
    // Node's server silently ends the connection of an unknown client.
    const outcome = await clientWith({ certificate: read(foreign) }).send(put(origin))
    expect(outcome).toMatchObject({ kind: 'unknown', reason: 'connection_cut' })
    expect(calls).toBe(0)
  })

  it('has a client certificate that expired while the process ran', async () => {
    let calls = 0
    const origin = await served((response) => {
      calls++
      response.end('{}')
    })
    let nowAt = nowMs
    const certificate = read(client)
    const moving = { now: () => nowAt }
    const caller = clientWith({ certificate, clock: moving })
    nowAt = certificate.expiresAtMs
    const outcome = await caller.send(put(origin))
    expect(outcome).toMatchObject({ kind: 'not-sent', reason: 'certificate_expired' })
    expect(calls).toBe(0)
  })

  it.each([['http://127.0.0.1:1/'], ['ftp://127.0.0.1/'], ['not an address']])(
    'has an address that is not HTTPS: %s',
    async (url) => {
      expect(await clientWith().send(put(url))).toMatchObject({ reason: 'request_invalid' })
    },
  )

  it('has a header that is none', async () => {
    const call = { ...put(await served(answering(200, '{}'))), headers: { 'x-key': 'a\r\nb' } }
    expect(await clientWith().send(call)).toMatchObject({ reason: 'request_invalid' })
  })

  it('is beyond the account’s budget', async () => {
    const origin = await served(answering(200, '{}'))
    const caller = clientWith({ budget: createCallBudget({ clock, callsPerMinute: 1 }) })
    expect(await caller.send(put(origin))).toMatchObject({ kind: 'done' })
    expect(await caller.send(put(origin))).toMatchObject({
      kind: 'not-sent',
      reason: 'budget_spent',
      retryAfterMs: MINUTE_MS,
    })
    for (let call = 0; call < 10; call++) await caller.send(put(origin))
    expect(lines).toHaveLength(1)
  })
})

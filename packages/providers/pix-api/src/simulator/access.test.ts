import { HOUR_MS } from '@cofre/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthority } from '@cofre/provider-kit/simulator'
import { PIX_KEY, RECEIVER, type TestBank, openTestBank } from '../../test/simulated-bank.js'
import {
  createRepeatableBytes,
  createTestClock,
} from '../../../../provider-kit/test/simulator-parts.js'

describe('who may call the bank', () => {
  let bank: TestBank
  beforeAll(async () => {
    bank = await openTestBank()
  })
  afterAll(() => bank.close())

  const askAs = (fields: object, headers: Record<string, string> = {}) => {
    const isForm = fields instanceof URLSearchParams
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const text = isForm ? fields.toString() : JSON.stringify(fields)
    const options = { method: 'POST', path: '/oauth/token' }
    return bank.send({ ...options, headers: { 'Content-Type': type, ...headers } }, text)
  }
  const basic = () => {
    const { clientId, clientSecret } = bank.credentials
    const text = `${clientId}:${clientSecret?.reveal() ?? ''}`
    return { Authorization: `Basic ${Buffer.from(text).toString('base64')}` }
  }
  const GRANT = { grant_type: 'client_credentials' }

  it('grants a token to client id and secret, as a form and as JSON, by Basic and in the body', async () => {
    const { clientId: client_id, clientSecret } = bank.credentials
    const inBody = { ...GRANT, client_id, client_secret: clientSecret?.reveal() ?? '' }
    const answers = [
      await askAs(new URLSearchParams(GRANT), basic()),
      await askAs(GRANT, basic()),
      await askAs(new URLSearchParams(inBody)),
      await askAs(inBody),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
      expect((await bank.get('/webhook', { token: body.access_token })).status).toBe(200)
    }
  })

  it('names the granted scopes, which may be fewer than requested', async () => {
    const { body } = await bank.askToken({ scope: 'cob.read lotecobv.write pix.read' })
    expect(body.scope).toBe('cob.read pix.read')
  })

  it.each([
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['a scope that nobody has', { scope: 'gold.write' }, 400, 'invalid_scope'],
  ])('refuses %s', async (_, fields, status, error) => {
    const answer = await bank.askToken(fields)
    expect(answer).toMatchObject({ status, body: { error } })
  })

  it('refuses a wrong secret and a body that is neither form nor JSON', async () => {
    const wrong = { ...GRANT, client_id: bank.credentials.clientId, client_secret: 'guess' }
    expect(await askAs(wrong)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await askAs([], basic())).status).toBe(400)
  })

  it('lets a client of a bank without secrets in by its certificate alone', async () => {
    const other = { label: 'sem-segredo', taxId: '2', name: 'Dois', city: 'Rio', pixKeys: [] }
    const credentials = await bank.openAccount({ ...other, hasSecret: false })
    const form = new URLSearchParams({ ...GRANT, client_id: credentials.clientId }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const options = { method: 'POST', path: '/oauth/token', headers }
    expect((await bank.send(options, form, credentials)).status).toBe(200)
    expect((await bank.send(options, form)).status).toBe(401)
  })

  it('ends the handshake with a client without a certificate of its authority, or with an expired one', async () => {
    const deps = { clock: createTestClock(), randomBytes: createRepeatableBytes('stranger') }
    const stranger = await createAuthority(deps)
    const foreign = await stranger.issue({ name: 'Loja', role: 'client' })
    const expired = await bank.issue({ name: 'Loja', role: 'client', lifetimeMs: -HOUR_MS })
    const none = { cert: undefined, key: undefined }
    await expect(bank.send({ ...none, path: '/v2/webhook' })).rejects.toThrow()
    await expect(bank.askToken({}, foreign)).rejects.toThrow()
    await expect(bank.askToken({}, expired)).rejects.toThrow()
  })

  it('binds a token to the certificate of its request', async () => {
    const other = await bank.issue({ name: 'Loja', role: 'client' })
    const { body } = await bank.askToken()
    const token = body.access_token
    expect((await bank.get('/webhook', { token })).status).toBe(200)
    const stolen = await bank.get('/webhook', { token, credential: other })
    expect(stolen).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
    const asked = await bank.askToken({}, other)
    expect(asked).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  it('refuses a token that has ended, was revoked, was never given or lacks the scope', async () => {
    const narrow = (await bank.askToken({ scope: 'cob.read' })).body.access_token
    expect(await bank.get('/webhook', { token: narrow })).toMatchObject({
      status: 403,
      body: { type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado' },
    })
    const token = (await bank.askToken()).body.access_token
    bank.clock.advance(HOUR_MS)
    expect((await bank.get('/webhook', { token })).status).toBe(401)
    const next = (await bank.askToken()).body.access_token
    expect((await bank.get('/webhook', { token: next })).status).toBe(200)
    bank.bank.tokens.revokeAll()
    expect((await bank.get('/webhook', { token: next })).status).toBe(401)
    expect((await bank.get('/webhook', { token: 'made-up' })).status).toBe(401)
  })
})

describe('a bank with other manners', () => {
  it('has other paths, several versions at once, and requires its own headers', async () => {
    const headers = { 'gw-dev-app-key': 'key' }
    const manners = { api: ['/api/v2', '/api/v3'], token: '/auth/token', headers }
    const bank = await openTestBank({ manners })
    const { clientId, clientSecret } = bank.credentials
    const secret = { client_id: clientId, client_secret: clientSecret?.reveal() ?? '' }
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...secret }).toString()
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const asked = { method: 'POST', path: '/auth/token', headers: type }
    const { body } = await bank.send(asked, form)
    const own = { Authorization: `Bearer ${body.access_token}` }
    const statusOf = async (path: string, sent: object) =>
      (await bank.send({ path, headers: { ...own, ...sent } })).status
    expect(await statusOf('/api/v2/webhook', headers)).toBe(200)
    expect(await statusOf('/api/v3/webhook', headers)).toBe(200)
    expect(await statusOf('/api/v3/webhook', {})).toBe(401)
    expect(await statusOf('/v2/webhook', headers)).toBe(404)
    await bank.close()
  })

  it('opens one account for a receiver, a client and a Pix key', async () => {
    const bank = await openTestBank()
    const other = { label: 'nova', taxId: '9', name: 'Nova', city: 'Rio', pixKeys: ['nova'] }
    for (const taken of [{ taxId: RECEIVER.taxId }, { label: 'loja' }, { pixKeys: [PIX_KEY] }])
      await expect(bank.openAccount({ ...other, ...taken })).rejects.toThrow(RangeError)
    await bank.openAccount(other)
    await bank.close()
  })

  it('frees its port when the page has none', async () => {
    const gone = await openTestBank()
    await gone.close()
    const { apiPort } = gone
    const first = await openTestBank()
    const pagePort = Number(new URL(first.pageUrl).port)
    await expect(openTestBank({ apiPort, pagePort })).rejects.toThrow(`EADDRINUSE`)
    await (await openTestBank({ apiPort })).close()
    await first.close()
  })
})

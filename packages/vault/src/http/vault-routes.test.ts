import type { SessionAnswer } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import type { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  CARD,
  type TestVault,
  openTestVault,
  orderFor,
  refuseWriting,
  tokenFor,
} from '../vault.fixture.js'
import type { LibraryRelease } from './library-routes.js'
import { createVaultRoutes } from './vault-routes.js'

const error = (code: number, description: string) => ({ errors: [{ code, description }] })

describe('Vault routes', () => {
  let test: TestVault
  let routes: Hono

  beforeEach(async () => {
    test = await openTestVault(TEST_SQLITE)
    routes = createVaultRoutes(test.vault, { log: test.log })
  })
  afterEach(() => test.database.close())

  const post = async (path: string, body?: string): Promise<Response> =>
    await routes.request(path, { method: 'POST', ...(body !== undefined && { body }) })

  it('takes a card from a page to the acquirer', async () => {
    const session = await post('/sessions')
    expect(session.status).toBe(201)
    const token = await tokenFor((await session.json()) as SessionAnswer)
    const deposit = await post('/direct-tokens', token)
    expect(deposit.status).toBe(201)
    expect(await deposit.json()).toEqual({})
    expect(await test.vault.authorize(orderFor(token))).toMatchObject({ outcome: 'approved' })
  })

  it('answers a page on any origin, and lets no cache keep the answer', async () => {
    const { headers } = await post('/sessions')
    expect(headers.get('Content-Type')).toContain('application/json')
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  })

  it.each(['/sessions/', '/direct-tokens/'])('serves %s with its slash', async (path) => {
    expect((await post(path)).status).toBeLessThan(404)
  })

  it.each([
    ['POST', '/sessions', 'POST, OPTIONS'],
    ['POST', '/direct-tokens', 'POST, OPTIONS'],
  ])('answers the preflight of %s %s', async (_, path, allowed) => {
    const response = await routes.request(path, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Access-Control-Allow-Methods')).toBe(allowed)
  })

  it.each([
    ['GET', '/', 404, error(90001, 'route_not_found')],
    ['POST', '/session', 404, error(90001, 'route_not_found')],
    ['GET', '/sessions', 405, error(90002, 'method_not_allowed')],
    ['DELETE', '/direct-tokens', 405, error(90002, 'method_not_allowed')],
  ])('refuses %s %s with %d', async (method, path, status, body) => {
    const response = await routes.request(path, { method })
    expect(response.status).toBe(status)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.has('Allow')).toBe(status === 405)
    expect(await response.json()).toMatchObject(body)
  })

  it.each([
    ['nothing', '', 400, error(90102, 'direct_token_invalid')],
    ['noise', 'noise', 400, error(90102, 'direct_token_invalid')],
    ['8 KiB', 'a'.repeat(8192), 400, error(90102, 'direct_token_invalid')],
    ['more than 8 KiB', 'a'.repeat(8193), 413, error(90003, 'body_too_large')],
  ])('refuses a deposit of %s', async (_, sent, status, body) => {
    const response = await post('/direct-tokens', sent)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject(body)
  })

  it.each([
    ['a session', 'POST', '/sessions', ''],
    ['a session with its slash', 'POST', '/sessions/', ''],
    ['a preflight', 'OPTIONS', '/sessions', ''],
    ['a token that is none', 'POST', '/direct-tokens', 'noise'],
    ['a body that is too large', 'POST', '/direct-tokens', 'a'.repeat(9000)],
    ['a library file', 'GET', '/cofre.js', ''],
    ['a library file’s head', 'HEAD', '/cofre.js', ''],
    ['a library file that a page has', 'GET', '/cofre.js', ''],
    ['the manifest', 'GET', '/integrity.json', ''],
    ['a wrong method', 'PUT', '/cofre.js', ''],
    ['a wrong path', 'GET', '/cofre.css', ''],
  ])('lets a page on any origin read the answer to %s', async (what, method, path, body) => {
    const file = { name: 'cofre.js', content: Buffer.from('hello') }
    const current: LibraryRelease = { version: '1.0.0', isFinal: true, files: [file] }
    const options = { log: test.log, library: { current, earlier: [] } }
    const { headers } = await createVaultRoutes(test.vault, options).request(path, {
      method,
      headers: what.endsWith('that a page has') ? { 'If-None-Match': '*' } : {},
      ...(body !== '' && { body }),
    })
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  })

  it('stops reading a body that hides its length', async () => {
    const endless = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(1024))
      },
    })
    const init = { method: 'POST', body: endless, duplex: 'half' } as const
    expect((await routes.request('/direct-tokens', init)).status).toBe(413)
  })

  it('answers a page that its session is gone', async () => {
    const token = await tokenFor(await test.vault.openSession())
    test.clock.nowMs += 24 * 3600 * 1000
    const response = await post('/direct-tokens', token)
    expect(response.status).toBe(410)
    expect(await response.json()).toMatchObject(error(90101, 'session_not_found'))
  })

  it('names the wrong fields of a card', async () => {
    const card = { ...CARD, number: '4111111111111112', cvv: '1' }
    const token = await tokenFor(await test.vault.openSession(), card)
    const response = await post('/direct-tokens', token)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      errors: [
        { code: 90103, description: 'card_invalid', property: 'number' },
        { code: 90103, description: 'card_invalid', property: 'cvv' },
      ],
    })
  })

  it('logs a crash, and shows the page nothing of it', async () => {
    const crashing = {
      ...test.vault,
      openSession: () => Promise.reject(new Error('disk on fire')),
    }
    const response = await createVaultRoutes(crashing, test).request('/sessions', {
      method: 'POST',
    })
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject(error(30101, 'internal_server_error'))
    expect(test.log.lines.join()).toContain('disk on fire')
  })

  it('answers a page that the database is unavailable, and when to ask again', async () => {
    const token = await tokenFor(await test.vault.openSession())
    await refuseWriting(test.database)
    const response = await post('/direct-tokens', token)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject(error(90006, 'service_unavailable'))
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(response.headers.get('Access-Control-Expose-Headers')).toBe('Retry-After')
    expect(test.log.lines.join()).toContain('a request crashed')
  })

  it('logs no refusal', async () => {
    await post('/direct-tokens', 'noise')
    expect(test.log.lines).toEqual([])
  })
})

import { randomBytes } from 'node:crypto'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import type { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseServiceKeys } from '../client/service-key.js'
import { signRequest, writeCredential } from '../client/service-signature.js'
import { CARD, type TestVault, openTestVault, orderFor, refuseWriting } from '../vault.fixture.js'
import { createServiceRoutes } from './service-routes.js'

const KEYS = parseServiceKeys(`k1:${randomBytes(32).toString('base64url')}`)

// The client's tests cover its exchanges; these requests are ones that our client never sends.
for (const engine of TEST_ENGINES) {
  describe(`Service routes on ${engine.name}`, () => {
    let test: TestVault
    let routes: Hono

    beforeEach(async () => {
      test = await openTestVault(engine)
      routes = createServiceRoutes(test.vault, { ...test, keys: KEYS })
    })
    afterEach(() => test.database.close())

    const drawNonce = () => randomBytes(16).toString('base64url')
    const post = async (target: string, body: string, nonce = drawNonce()): Promise<Response> => {
      const at = { timeSeconds: test.clock.now() / SECOND_MS, nonce }
      const credential = signRequest(KEYS.current, { method: 'POST', target, body }, at)
      const headers = { Authorization: writeCredential(credential) }
      return await routes.request(target, { method: 'POST', headers, body })
    }
    const wireOrder = (changes: object) =>
      JSON.stringify({ ...orderFor(''), source: { kind: 'token', token: 'x' }, ...changes })

    it.each([
      ['what is not JSON', '{'],
      ['no order', '{}'],
      ['a raw card', wireOrder({ source: { kind: 'raw', card: CARD } })],
      ['a card beside the source', wireOrder({ card: CARD })],
      ['an amount below nothing', wireOrder({ amountMinor: -1 })],
      ['a fraction of a centavo', wireOrder({ amountMinor: 0.5 })],
      ['another environment', wireOrder({ environment: 'test' })],
      ['a code that is none', wireOrder({ transactionCode: '1 or 2' })],
      ['no store', wireOrder({ merchantId: '' })],
    ])('refuse %s, signed though it is, and sign the refusal', async (_, body) => {
      const response = await post('/v1/authorizations', body)
      expect(response.status).toBe(400)
      expect(response.headers.get('Cofre-Signature')).toMatch(/^[\w-]{43}$/)
      expect(await response.json()).toMatchObject({ errors: [{ code: 90302 }] })
    })

    it.each([
      ['GET', '/', 404],
      ['POST', '/v1/ping', 401],
      ['GET', '/v1/ping', 404],
      ['POST', '/sessions', 404],
      ['POST', '/direct-tokens', 404],
    ])('answer %s %s without a signature with %d', async (method, path, status) => {
      expect((await routes.request(path, { method })).status).toBe(status)
    })

    it('remember nonces no longer when the clock was set back by a day', async () => {
      const nonce = drawNonce()
      const isNew = async () => (await post('/v1/recalls', '{}', nonce)).status !== 401
      expect(await isNew()).toBe(true)
      expect(await isNew()).toBe(false)
      test.clock.nowMs -= MINUTE_MS
      expect(await isNew()).toBe(false)
      test.clock.nowMs -= DAY_MS
      expect(await isNew()).toBe(true)
    })

    it.each([
      ['4000 ms of its shop', '?shop-waits-ms=4000', 4000],
      ['none of it', '?shop-waits-ms=0', 0],
      ['more than a shop waits', '?shop-waits-ms=99999', 15_000],
      ['what is no number', '?shop-waits-ms=-1', 15_000],
      ['nothing, as older gateways do', '', 15_000],
    ])('charge within the time that is left, if a gateway sends %s', async (_, query, leftMs) => {
      vi.useFakeTimers({ toFake: ['performance'] })
      onTestFinished(() => {
        vi.useRealTimers()
      })
      const authorize = vi.spyOn(test.vault, 'authorize')
      const body = wireOrder({ source: { kind: 'token', token: await test.deposit() } })
      expect((await post(`/v1/authorizations${query}`, body)).status).toBe(200)
      expect(authorize.mock.lastCall?.[0].deadline?.leftMs()).toBe(leftMs)
    })

    it('read no more than they may', async () => {
      expect((await post('/v1/authorizations', ' '.repeat(40_000))).status).toBe(413)
    })

    it('report to a gateway that the database is unavailable, signed', async () => {
      const token = await test.deposit()
      await refuseWriting(test.database)
      const response = await post(
        '/v1/authorizations',
        wireOrder({ source: { kind: 'token', token } }),
      )
      expect(response.status).toBe(503)
      expect(response.headers.get('Cofre-Signature')).toMatch(/^[\w-]{43}$/)
      expect(await response.json()).toMatchObject({ errors: [{ code: 90006 }] })
      expect(response.headers.has('Retry-After')).toBe(true)
      expect(test.acquirer.requests).toEqual([])
    })

    it('reveal nothing about a crash', async () => {
      await test.database.close()
      const response = await post('/v1/recalls', '{"environment":"sandbox","transactionCode":"1"}')
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({ errors: [{ code: 30101 }] })
      test = await openTestVault(engine)
    })
  })
}

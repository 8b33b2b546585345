import { STORE_SCOPES, Secret, type StoreScope } from '@cofre/contracts'
import { TEST_ENGINES, TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { MERCHANT, railRequest } from '../../../gateway/src/gateway.fixture.js'
import { SANDBOX_OPERATIONS } from '../reference/sandbox-operations.js'
import { STORE, type TestSandbox, openTestSandbox } from '../sandbox.fixture.js'

const OTHER = { ...MERCHANT, id: 'store-2' }

for (const engine of TEST_ENGINES) {
  describe(`the sandbox’s controls over HTTP on ${engine.name}`, () => {
    let test: TestSandbox
    let code: string
    beforeEach(async () => {
      test = await openTestSandbox(engine)
      await test.gateway.saveMerchant(OTHER)
      const body = railRequest('order-1', 'pix')
      const { json } = await test.send('POST', '/transactions', { body })
      code = (json.transaction as { code: string }).code
    })
    afterEach(() => test.close())

    const report = (status: unknown, of = code, merchant = MERCHANT) =>
      test.send('POST', `/sandbox/transactions/${of}/status`, { body: { status }, merchant })
    const refund = async (): Promise<string> => {
      await test.sandbox.modes.setMode(STORE, 'refund', { kind: 'by-hand' })
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
      const { json } = await test.send('POST', '/refunds', { body })
      return json['refund-id'] as string
    }

    it('report a status as the bank would', async () => {
      expect(await report('COMPLETE')).toMatchObject({
        status: 200,
        json: { 'transaction-code': code, status: 'COMPLETE' },
      })
      expect((await test.gateway.backOffice.findTransaction(STORE, code))?.transaction.status).toBe(
        'COMPLETE',
      )
      expect((await report('COMPLETE')).status).toBe(200)
      const { items } = await test.gateway.notifications.list(STORE, { limit: 20 })
      expect(items).toHaveLength(2)
    })

    it('name the statuses that a transaction may go to, when it may not go to this one', async () => {
      await report('COMPLETE')
      expect(await report('CANCELLED')).toMatchObject({
        status: 409,
        json: {
          errors: [
            {
              code: 90202,
              description: 'status_change_not_allowed: allowed are REFUNDED, CHARGEBACK',
              property: 'status',
            },
          ],
        },
      })
      await report('CHARGEBACK')
      expect((await report('COMPLETE')).json).toMatchObject({
        errors: [{ description: 'status_change_not_allowed: it is final' }],
      })
    })

    it('end a refund, once', async () => {
      await report('COMPLETE')
      const id = await refund()
      const end = (status: string, of = id, merchant = MERCHANT) =>
        test.send('POST', `/sandbox/refunds/${of}/status`, { body: { status }, merchant })
      expect(await end('PROCESSED', id, OTHER)).toMatchObject({ status: 404, codes: [20610] })
      expect(await end('PROCESSED', '1')).toMatchObject({ status: 404, codes: [20610] })
      expect(await end('PROCESSING')).toMatchObject({ status: 400, codes: [90201] })
      expect(await end('PROCESSED')).toMatchObject({
        status: 200,
        json: { 'refund-id': id, 'transaction-code': code, status: 'PROCESSED' },
      })
      expect(await end('REJECTED')).toMatchObject({ status: 409, codes: [90202] })
    })

    it.each([undefined, '', 'PAID', 1, null, ['COMPLETE']])(
      'refuse the status %j',
      async (status) => {
        expect(await report(status)).toMatchObject({
          status: 400,
          json: { errors: [{ code: 90201, property: 'status' }] },
        })
      },
    )

    it('preview the store’s due events, and move nothing', async () => {
      for (const merchant of [MERCHANT, OTHER])
        await test.send('POST', '/transactions', { body: railRequest('order-2', 'pix'), merchant })
      await test.sandbox.modes.setMode(OTHER.id, 'boleto', { kind: 'after', seconds: 60 })
      await test.send('POST', '/transactions', {
        body: railRequest('order-3', 'boleto'),
        merchant: OTHER,
      })
      await test.sandbox.modes.setMode(STORE, 'boleto', { kind: 'after', seconds: 60 })
      await test.send('POST', '/transactions', { body: railRequest('order-3', 'boleto') })
      await report('COMPLETE')
      const now = test.sandbox.clock.now()
      const preview = (seconds: number | string) =>
        test.send('GET', `/sandbox/clock/preview?seconds=${seconds}`)
      expect((await preview(30)).json).toMatchObject({
        due: { expiries: 0, notifications: 0, reports: 0 },
      })
      expect((await preview(2 * 86_400)).json).toEqual({
        now: new Date(now).toISOString(),
        then: new Date(now + 2 * 86_400_000).toISOString(),
        'ahead-seconds': 0,
        due: { expiries: 1, notifications: 0, reports: 1 },
      })
      expect(test.sandbox.clock.now()).toBe(now)
      for (const seconds of [0, -1, 'x', '', 1.5, 367 * 86_400])
        expect(await preview(seconds)).toMatchObject({ status: 400, codes: [90201] })
    })

    it('refuse what is not JSON', async () => {
      const target = `/sandbox/transactions/${code}/status`
      expect(await test.send('POST', target, { body: 'x' })).toMatchObject({ codes: [90201] })
    })

    it('know no transaction of another store, and none that is not there', async () => {
      expect(await report('COMPLETE', code, OTHER)).toMatchObject({ status: 404, codes: [20614] })
      for (const wrong of ['1', 'x', '9'.repeat(20)])
        expect(await report('COMPLETE', wrong)).toMatchObject({ status: 404, codes: [20614] })
    })

    it('require the store’s signature', async () => {
      for (const path of [`transactions/${code}`, 'refunds/1']) {
        const answer = await test.send('POST', `/sandbox/${path}/status`, {
          body: { status: 'COMPLETE' },
          headers: { authorization: `${STORE}:${'0'.repeat(64)}` },
        })
        expect(answer).toMatchObject({ status: 401, codes: [10003] })
      }
    })
  })
}

const SCOPES: readonly (readonly [StoreScope, string, string])[] = [
  ['configure', 'POST', '/sandbox/transactions/x/status'],
  ['configure', 'POST', '/sandbox/refunds/x/status'],
  ['read', 'GET', '/sandbox/clock'],
  ['read', 'GET', '/sandbox/clock/preview'],
  ['configure', 'POST', '/sandbox/clock/advance'],
  ['read', 'GET', '/sandbox/receiver'],
  ['read', 'GET', '/sandbox/notifications/stream'],
  ['read', 'GET', '/sandbox/requests/stream'],
]

describe('the scopes of keys for the sandbox’s routes', () => {
  it.each(SCOPES)('is %s for %s %s', async (scope, method, target) => {
    const test = await openTestSandbox(TEST_SQLITE)
    onTestFinished(() => test.close())
    const key = {
      id: 'k-00000001',
      name: 'All but one',
      scopes: STORE_SCOPES.filter((other) => other !== scope),
      secret: new Secret('the secret of all but one'),
    }
    await test.parts.merchants.addKey(STORE, { ...key, endsAtMs: undefined }, 'operator:ana')
    const merchant = { ...MERCHANT, secret: key.secret }
    const body = method === 'POST' ? {} : undefined
    const refused = await test.send(method, target, { merchant, body })
    expect(refused).toMatchObject({ status: 403, codes: [90031] })
    expect(refused.text).toContain(`precisa de \`${scope}\``)
  })

  it('are tried on each of them', () => {
    const documented = SANDBOX_OPERATIONS.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`,
    )
    const tried = SCOPES.map(([, method, target]) => `${method} ${target}`)
    expect(tried.toSorted()).toEqual(documented.toSorted())
  })
})

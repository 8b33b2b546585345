import { createHmac } from 'node:crypto'
import { DAY_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, railRequest, signedRequest } from '../../../gateway/src/gateway.fixture.js'
import {
  PANEL_ORIGIN,
  SANDBOX_ORIGIN,
  STORE,
  TEST_MERCHANT,
  type TestSandbox,
  openTestSandbox,
  rawCard,
} from '../sandbox.fixture.js'

const OTHER = { ...MERCHANT, id: 'store-2' }
const NOTIFICATIONS = '/sandbox/notifications/stream'
const REQUESTS = '/sandbox/requests/stream'

interface StreamEvent {
  readonly name: string
  readonly id: string
  readonly data: Record<string, unknown>
}

interface Stream {
  /** The next event; undefined at the end. */
  next(): Promise<StreamEvent | undefined>
  close(): Promise<void>
}

interface Asking {
  readonly headers?: Record<string, string>
  readonly merchant?: typeof MERCHANT
}

async function ask(test: TestSandbox, target: string, asking: Asking = {}): Promise<Response> {
  const request = new Request(SANDBOX_ORIGIN + target, signedRequest('GET', target, asking))
  return await test.recorded.fetch(request, {})
}

async function follow(test: TestSandbox, target: string, asking?: Asking): Promise<Stream> {
  const { body } = await ask(test, target, asking)
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    async next() {
      for (;;) {
        const [block = '', ...rest] = text.split('\n\n')
        if (rest.length > 0) {
          text = rest.join('\n\n')
          const fields = Object.fromEntries(
            block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)),
          ) as Record<string, string>
          const data = JSON.parse(fields.data ?? '{}') as Record<string, unknown>
          return { name: fields.event ?? '', id: fields.id ?? '', data }
        }
        const { value } = await reader.read()
        if (value === undefined) return undefined
        text += value
      }
    },
    close: () => reader.cancel(),
  }
}

for (const engine of TEST_ENGINES) {
  describe(`streams of the sandbox on ${engine.name}`, () => {
    let test: TestSandbox
    beforeEach(async () => {
      test = await openTestSandbox(engine)
      await test.gateway.saveMerchant(OTHER)
    })
    afterEach(() => test.close())

    const pix = async (reference: string): Promise<string> => {
      const { json } = await test.send('POST', '/transactions', {
        body: railRequest(reference, 'pix'),
      })
      return (json.transaction as { code: string }).code
    }
    /** Requests appear in the stream after a moment. */
    const settle = () => (test.machine.nowMs += 1001)
    const paid = async (reference: string): Promise<string> => {
      const code = await pix(reference)
      const target = `/sandbox/transactions/${code}/status`
      await test.send('POST', target, { body: { status: 'COMPLETE' } })
      return code
    }

    it('copy each notification once, signed as the store’s own, and acknowledge nothing', async () => {
      const stream = await follow(test, NOTIFICATIONS)
      expect(await stream.next()).toMatchObject({ name: 'ready', data: {} })
      const code = await paid('order-1')
      const copy = (await stream.next())!
      expect(copy).toMatchObject({
        name: 'notification',
        data: {
          'transaction-code': code,
          status: 'COMPLETE',
          url: 'https://shop.example/notifications',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        },
      })
      const { headers, body } = copy.data as {
        headers: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
        body: string
      }
      expect(headers['webhook-id']).toBe(`${code}-1`)
      expect(headers['webhook-timestamp']).toBe(String(Math.floor(test.machine.nowMs / 1000)))
      const signed = `${code}-1.${headers['webhook-timestamp']}.${body}`
      const hmac = createHmac('sha256', MERCHANT.secret.reveal()).update(signed)
      expect(headers['webhook-signature']).toBe(`v1,${hmac.digest('base64')}`)
      const worker = test.gateway.startWorker()
      await expect.poll(() => test.sent).toEqual([body])
      await worker.stop()
      await paid('order-2')
      expect((await stream.next())?.data['transaction-code']).not.toBe(code)
      await stream.close()
    })

    it('continue for a returning reader, without repetition', async () => {
      const stream = await follow(test, NOTIFICATIONS)
      const { id: start } = (await stream.next())!
      await stream.close()
      const code = await paid('order-1')
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
      const refund = await test.send('POST', '/refunds', { body })
      const refundId = refund.json['refund-id'] as string
      await test.gateway.backOffice.finishRefund(STORE, refundId, 'PROCESSED')
      const again = await follow(test, NOTIFICATIONS, { headers: { 'Last-Event-ID': start } })
      await again.next()
      const first = (await again.next())!
      expect(first.data).toMatchObject({ 'transaction-code': code, status: 'COMPLETE' })
      const rest = [await again.next(), await again.next()].map((event) => event?.data)
      expect(rest).toContainEqual(expect.objectContaining({ 'refund-id': refundId }))
      expect(rest).toContainEqual(expect.objectContaining({ status: 'REFUNDED' }))
      await again.close()
      const later = await follow(test, NOTIFICATIONS, { headers: { 'Last-Event-ID': first.id } })
      await later.next()
      expect(rest).toContainEqual((await later.next())?.data)
      await later.close()
    })

    it('copy what is committed late, whatever time has passed meanwhile, and once', async () => {
      const stream = await follow(test, NOTIFICATIONS)
      await stream.next()
      const startedMs = test.sandbox.clock.now()
      const code = await paid('order-1')
      await stream.next()
      await test.sandbox.clock.advance(DAY_MS)
      await paid('order-2')
      await stream.next()
      await commitLate(code, 2, startedMs)
      const late = (await stream.next())!
      expect(late.data.headers).toMatchObject({ 'webhook-id': `${code}-2` })
      await stream.close()
      const again = await follow(test, NOTIFICATIONS, { headers: { 'Last-Event-ID': late.id } })
      await again.next()
      await commitLate(code, 3, startedMs)
      const next = (await again.next())!
      expect(next.data.headers).toMatchObject({ 'webhook-id': `${code}-3` })
      await again.close()
    })

    const commitLate = async (code: string, position: number, createdAtMs: number) => {
      const { reader } = test.gatewayDatabase
      const rows = reader.selectFrom('notifications').selectAll()
      const row = await rows.where('transaction_code', '=', Number(code)).executeTakeFirstOrThrow()
      await test.gatewayDatabase.transact(async (trx) => {
        const late = { ...row, position, created_at: createdAtMs }
        await trx.insertInto('notifications').values(late).execute()
      })
    }

    it('show requests, the last ones first, masked, and none of another store', async () => {
      await pix('order-1')
      const order = {
        ...railRequest('order-2', 'pix'),
        charge: [{ 'payment-info': rawCard('4000000000000002') }],
      }
      await test.send('POST', '/transactions', { body: order })
      settle()
      const stream = await follow(test, `${REQUESTS}?last=1`)
      await stream.next()
      const refused = (await stream.next())!
      expect(refused).toMatchObject({
        name: 'request',
        data: { method: 'POST', target: '/transactions', status: 400 },
      })
      expect(JSON.stringify(refused.data)).toContain('************0002')
      expect(JSON.stringify(refused.data)).not.toContain('4000000000000002')
      await test.send('GET', '/transactions/1', { merchant: OTHER })
      const code = await pix('order-3')
      settle()
      expect((await stream.next())?.data).toMatchObject({ status: 201, 'transaction-code': code })
      await stream.close()
      const again = await follow(test, REQUESTS, { headers: { 'Last-Event-ID': refused.id } })
      await again.next()
      expect((await again.next())?.data['transaction-code']).toBe(code)
      await again.close()
    })

    it('show payers of requests as masked as the page does for developers', async () => {
      await pix('order-1')
      await test.send(
        'GET',
        '/transactions?payer-document=52998224725&payer-email=maria@example.com',
      )
      settle()
      const stream = await follow(test, `${REQUESTS}?last=2`)
      await stream.next()
      const shown = JSON.stringify([(await stream.next())?.data, (await stream.next())?.data])
      await stream.close()
      expect(shown).toContain('***.***.***-25')
      for (const known of ['52998224725', 'maria@example.com', 'Maria da Silva'])
        expect(shown).not.toContain(known)
    })

    it('require the store’s signature, and a valid number of past requests', async () => {
      const headers = { authorization: `${STORE}:${'0'.repeat(64)}` }
      for (const target of [NOTIFICATIONS, REQUESTS, '/sandbox/receiver'])
        expect((await ask(test, target, { headers })).status).toBe(401)
      for (const last of ['-1', 'x', '1001', '1.5'])
        expect((await ask(test, `${REQUESTS}?last=${last}`)).status).toBe(400)
    })

    it('are at most ten of a store, and closing one makes room', async () => {
      const streams = await Promise.all(
        Array.from({ length: 10 }, () => follow(test, NOTIFICATIONS)),
      )
      expect((await ask(test, REQUESTS)).status).toBe(429)
      expect((await ask(test, REQUESTS, { merchant: OTHER })).status).toBe(200)
      await streams[0]?.close()
      await expect.poll(async () => (await ask(test, REQUESTS)).status).toBe(200)
    })

    it('end when the store is disabled, and when the process stops', async () => {
      const [notified, requested] = [
        await follow(test, NOTIFICATIONS),
        await follow(test, REQUESTS, { merchant: OTHER }),
      ]
      await notified.next()
      await requested.next()
      await test.gateway.saveMerchant({ ...TEST_MERCHANT, enabled: false })
      expect(await notified.next()).toBeUndefined()
      test.stopping.abort()
      expect(await requested.next()).toBeUndefined()
    })

    it('end with a secret that is replaced at once, and not with one that still signs', async () => {
      const stream = await follow(test, NOTIFICATIONS)
      await stream.next()
      const rotate = (secret: string, previousUntilMs: number) =>
        test.parts.merchants.rotateSecret(STORE, new Secret(secret), {
          previousUntilMs,
          actor: 'panel',
        })
      await rotate('the second secret of the store', test.machine.nowMs + DAY_MS)
      await paid('order-1')
      expect((await stream.next())?.name).toBe('notification')
      await rotate('the third secret of the store', test.machine.nowMs)
      expect(await stream.next()).toBeUndefined()
    })

    it('return the address of the store’s receiver', async () => {
      const { json } = await test.send('GET', '/sandbox/receiver')
      const url = json['notification-url'] as string
      expect(url).toMatch(new RegExp(`^${PANEL_ORIGIN}/inbox/.{24}$`))
      expect((await test.send('GET', '/sandbox/receiver')).json['notification-url']).toBe(url)
    })
  })
}

import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../gateway.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`Idempotency-Key on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    beforeEach(async () => {
      nowMs = NOW_MS
      test = await openTestGateway(engine, { clock: { now: () => nowMs } })
    })
    afterEach(() => test.close())

    const pay = (key: string, reference = 'order-1') =>
      test.send('POST', '/transactions', {
        body: cardRequest(reference),
        headers: { 'idempotency-key': key },
      })

    it('replays the first answer to the letter, without paying again', async () => {
      const first = await pay('key-1')
      const second = await pay('key-1')
      expect(second.text).toBe(first.text)
      expect(second.status).toBe(201)
      expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect(first.headers.get('idempotency-replayed')).toBeNull()
      expect(second.headers.get('idempotency-replayed')).toBe('true')
      expect(test.orders).toHaveLength(1)
    })

    it('replays a refund with its Location', async () => {
      const { json } = await pay('key-1')
      const { code } = json.transaction as { code: string }
      const refund = () =>
        test.send('POST', '/refunds', {
          body: { 'transaction-id': code, 'notify-url': 'https://shop.example/n' },
          headers: { 'idempotency-key': 'refund-1' },
        })
      const [first, second] = [await refund(), await refund()]
      expect(second).toMatchObject({ status: 201, text: first.text })
      expect(second.headers.get('location')).toBe(`/transactions/${code}`)
    })

    it('keeps no digest of a card: what it keeps is the same for any', async () => {
      const fingerprintFor = async (number: string, key: string): Promise<string | undefined> => {
        const body = cardRequest('order-1', {
          token: undefined,
          'credit-card': { number, cvv: '737', 'expiration-date': '2030-12' },
        })
        const merchant = { ...MERCHANT, mayUseRawCards: true }
        await test.gateway.saveMerchant(merchant)
        const request = { ...body, payer: { ...body.payer, ip: '203.0.113.9' } }
        const charge = [{ ...body.charge[0], currency: 'BRL' }]
        await test.send('POST', '/transactions', {
          body: { ...request, charge },
          headers: { 'idempotency-key': key },
        })
        const row = await test.database.reader
          .selectFrom('idempotency_keys')
          .select('fingerprint')
          .where('key', '=', key)
          .executeTakeFirst()
        await test.database.transact((unit) => unit.deleteFrom('notifications').execute())
        await test.database.transact((unit) => unit.deleteFrom('transactions').execute())
        return row?.fingerprint
      }
      const first = await fingerprintFor('4111111111111111', 'key-1')
      expect(first).toBeDefined()
      expect(await fingerprintFor('5555444433331111', 'key-2')).toBe(first)
    })

    it('refuses the key with another body', async () => {
      await pay('key-1')
      expect(await pay('key-1', 'order-2')).toMatchObject({ status: 409, codes: [90012] })
    })

    it('keeps the keys of stores apart', async () => {
      await pay('key-1')
      const merchant = { ...(await test.gateway.deps.merchants.find('store-1'))!, id: 'store-2' }
      await test.gateway.saveMerchant(merchant)
      const answer = await test.send('POST', '/transactions', {
        body: cardRequest('order-2'),
        headers: { 'idempotency-key': 'key-1' },
        merchant,
      })
      expect(answer.status).toBe(201)
    })

    it('frees the key of a request that was refused', async () => {
      test.answerCards(() => Promise.resolve({ kind: 'refused', reason: 'token_invalid' }))
      expect((await pay('key-1')).status).toBe(400)
      test.answerCards(() => Promise.resolve(APPROVED))
      expect((await pay('key-1')).status).toBe(201)
    })

    it('lets one of two requests at once pay and tells the other to wait', async () => {
      let finish: () => void = () => undefined
      const asked = new Promise<void>((resolve) => {
        test.answerCards(async () => {
          resolve()
          await new Promise<void>((finished) => (finish = finished))
          return APPROVED
        })
      })
      const first = pay('key-1')
      await asked
      expect(await pay('key-1')).toMatchObject({ status: 409, codes: [90013] })
      finish()
      expect((await first).status).toBe(201)
      expect(test.orders).toHaveLength(1)
    })

    it('answers the transaction of a request that died unanswered', async () => {
      const { json } = await pay('key-1')
      await test.database.transact((unit) =>
        unit.updateTable('idempotency_keys').set({ answer: null }).execute(),
      )
      expect(await pay('key-1')).toMatchObject({ status: 409, codes: [90013] })
      nowMs += MINUTE_MS
      expect(await pay('key-1')).toMatchObject({ status: 201, json })
      expect(test.orders).toHaveLength(1)
    })

    it('forgets a key after a day', async () => {
      await pay('key-1')
      nowMs += DAY_MS + 1
      expect((await pay('key-1', 'order-2')).status).toBe(201)
    })

    it.each(['', ' ', 'x'.repeat(256), 'a b'])('refuses the key %j', async (key) => {
      expect(await pay(key)).toMatchObject({ status: 400, codes: [90011] })
    })
  })
}

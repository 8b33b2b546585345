import { DAY_MS, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  TEST_RAILS,
  type TestAnswer,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'
import { askAfterOpenIntents } from '../payment/open-intent-service.js'

for (const engine of TEST_ENGINES) {
  describe(`Idempotency-Key on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    let machineNowMs = NOW_MS
    const rails = { ...TEST_RAILS }
    beforeEach(async () => {
      nowMs = NOW_MS
      machineNowMs = NOW_MS
      Object.assign(rails, TEST_RAILS)
      test = await openTestGateway(engine, {
        clock: { now: () => nowMs },
        machineClock: { now: () => machineNowMs },
        rails,
      })
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

    it('is kept as a digest, whatever it holds', async () => {
      const key = 'maria@example.com/4111111111111111'
      expect((await pay(key)).status).toBe(201)
      const rows = await test.database.reader.selectFrom('idempotency_keys').selectAll().execute()
      expect(rows.map((row) => row.key)).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
      expect(JSON.stringify(rows)).not.toContain(key)
      expect((await pay(key)).headers.get('idempotency-replayed')).toBe('true')
      expect((await pay('key-2', 'order-2')).headers.get('idempotency-replayed')).toBeNull()
      expect(test.orders).toHaveLength(2)
    })

    it('of release 0.2, which kept it as it was, is replayed for a day', async () => {
      const first = await pay('key-1')
      await test.database.transact((trx) =>
        trx.updateTable('idempotency_keys').set({ key: 'key-1' }).execute(),
      )
      for (let i = 0; i < 2; i++) {
        const again = await pay('key-1')
        expect(again.headers.get('idempotency-replayed')).toBe('true')
        expect(again.text).toBe(first.text)
      }
      expect(test.orders).toHaveLength(1)
      await test.database.transact((trx) =>
        trx.updateTable('idempotency_keys').set({ key: 'key-1' }).execute(),
      )
      nowMs += DAY_MS + 1
      expect((await pay('key-1', 'order-2')).status).toBe(201)
      expect(test.orders).toHaveLength(2)
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
          .where('key', '=', await test.parts.keyDigests.of(MERCHANT.id, key))
          .executeTakeFirst()
        await test.database.transact((trx) => trx.deleteFrom('notifications').execute())
        await test.database.transact((trx) => trx.deleteFrom('transactions').execute())
        await test.database.transact((trx) => trx.deleteFrom('transaction_keys').execute())
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
      const merchant = { ...(await test.parts.merchants.find('store-1'))!, id: 'store-2' }
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

    it('lets one of two concurrent requests pay and asks the other to wait', async () => {
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
      await test.database.transact((trx) =>
        trx.updateTable('idempotency_keys').set({ answer: null }).execute(),
      )
      nowMs += MINUTE_MS
      expect(await pay('key-1')).toMatchObject({ status: 409, codes: [90013] })
      machineNowMs += MINUTE_MS
      expect(await pay('key-1')).toMatchObject({ status: 201, json })
      expect(test.orders).toHaveLength(1)
    })

    it('does not hold a key for long when the machine’s clock is set back', async () => {
      await pay('key-1')
      await test.database.transact((trx) =>
        trx.updateTable('idempotency_keys').set({ answer: null }).execute(),
      )
      machineNowMs -= HOUR_MS
      expect((await pay('key-1')).status).toBe(201)
    })

    describe('whose request died before the vault answered', () => {
      beforeEach(async () => {
        test.answerCards(() => new Promise(() => undefined))
        void pay('key-1')
        await vi.waitUntil(() => test.orders.length > 0, 60_000)
        machineNowMs += MINUTE_MS
      })
      const workLater = async (): Promise<void> => {
        machineNowMs += HOUR_MS
        await askAfterOpenIntents(test.parts)
      }
      const codeOf = ({ json }: TestAnswer): string => (json.transaction as { code: string }).code
      const statusOf = async (answer: TestAnswer): Promise<string | undefined> => {
        const { json } = await test.send('GET', `/transactions/${codeOf(answer)}`)
        const result = json['transaction-result'] as { transactions: { status: string }[] }
        return result.transactions[0]?.status
      }

      it('asks the vault, and returns its answer', async () => {
        test.recallCards(() => APPROVED)
        const answer = await pay('key-1')
        expect(answer.status).toBe(201)
        expect(await statusOf(answer)).toBe('COMPLETE')
        expect(test.orders).toHaveLength(1)
      })

      it('pays anew when the order never arrived, under another code', async () => {
        test.answerCards(() => Promise.resolve(APPROVED))
        const answer = await pay('key-1')
        expect(codeOf(answer)).not.toBe(test.orders[0]?.transactionCode)
        await workLater()
        expect(await statusOf(answer)).toBe('COMPLETE')
      })

      it('answers a transaction that is kept while the outcome stays unknown', async () => {
        test.recallCards(() => ({ ...APPROVED, outcome: 'unknown' }))
        const answer = await pay('key-1')
        expect(await statusOf(answer)).toBe('UNDER-REVIEW')
        test.recallCards(() => undefined)
        await workLater()
        expect(await statusOf(answer)).toBe('CANCELLED')
      })

      it('asks to wait while the vault does not answer, and asks the vault at the next try', async () => {
        test.recallCards(() => Promise.reject(new Error('connection refused')))
        expect(await pay('key-1')).toMatchObject({ status: 409, codes: [90013] })
        test.recallCards(() => APPROVED)
        expect((await pay('key-1')).status).toBe(201)
        expect(test.orders).toHaveLength(1)
      })
    })

    it('opens the charge of a request that died before its bank answered', async () => {
      const body = railRequest('order-1', 'pix')
      const create = () =>
        test.send('POST', '/transactions', { body, headers: { 'idempotency-key': 'key-1' } })
      let isAsked = false
      rails.openPixCharge = () => {
        isAsked = true
        return new Promise(() => undefined)
      }
      void create()
      await vi.waitUntil(() => isAsked, 60_000)
      Object.assign(rails, TEST_RAILS)
      machineNowMs += MINUTE_MS
      const answer = await create()
      expect(answer).toMatchObject({ status: 201 })
      expect(answer.text).toContain('br.gov.bcb.pix')
    })

    it('continues immediately what our own failure left', async () => {
      const { transactions } = test.parts
      const settle = vi.spyOn(transactions, 'settle').mockRejectedValueOnce(new Error('disk full'))
      expect((await pay('key-1')).status).toBe(500)
      settle.mockRestore()
      test.recallCards(() => APPROVED)
      expect((await pay('key-1')).status).toBe(201)
      expect(test.orders).toHaveLength(1)
    })

    it('answers no other request that has used the reference', async () => {
      const other = cardRequest('order-1')
      const body = { ...other, payer: { ...other.payer, email: 'other@example.com' } }
      expect((await test.send('POST', '/transactions', { body })).status).toBe(201)
      const failing = vi
        .spyOn(test.parts.transactions, 'insertIntent')
        .mockRejectedValueOnce(new Error('disk full'))
      expect((await pay('key-1')).status).toBe(500)
      failing.mockRestore()
      expect(await pay('key-1')).toMatchObject({ status: 409, codes: [210104] })
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

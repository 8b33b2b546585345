import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TransactionCode, laneOf } from '@cofre/gateway/room'
import { ACKNOWLEDGED, MERCHANT, cardRequest } from '../../gateway/src/gateway.fixture.js'
import type { OutgoingNotification } from './model/sending.js'
import { openTestNotifications } from './notifications.fixture.js'
import { FAILED, INTERVAL_MS, type Rounds, openRounds } from './rounds.fixture.js'

const REFUNDS = 'https://shop.example/refunds'
const idsOf = (sent: readonly OutgoingNotification[]) =>
  sent.map(({ headers }) => headers['webhook-id'])
const isOfRefund = ({ body }: OutgoingNotification): boolean => body.includes('refund-id')

for (const engine of TEST_ENGINES)
  describe(`what a shop hears while others of its notices are refused, on ${engine.name}`, () => {
    let rounds: Rounds
    beforeEach(async () => {
      rounds = await openRounds(engine)
    })
    afterEach(() => rounds.test.close())

    /** Adds notices of refunds without attempts to an order whose other notification rests. */
    const oweRefunds = async (count: number, url = REFUNDS): Promise<TransactionCode> => {
      const code = await rounds.decline(`order-of-${count}`)
      await rounds.rounds()
      const row = await rounds.test.database.reader
        .selectFrom('notifications')
        .selectAll()
        .where('transaction_code', '=', code)
        .executeTakeFirstOrThrow()
      const rows = Array.from({ length: count }, (_, i) => ({
        ...row,
        position: i + 2,
        refund_id: i + 1,
        url,
        lane: null,
        attempts: 0,
        acknowledged_at: null,
        done_at: null,
        next_attempt_at: rounds.nowMs,
      }))
      await rounds.test.database.transact((trx) =>
        trx.insertInto('notifications').values(rows).execute(),
      )
      return code
    }
    const refuseRefunds = async (): Promise<void> => {
      rounds.answer = (sent) => (isOfRefund(sent) ? FAILED : ACKNOWLEDGED)
      for (let attempt = 0; attempt <= 7; attempt++) {
        await rounds.rounds()
        rounds.nowMs += INTERVAL_MS
      }
    }

    it.each([12, 100, 1_000])(
      'hears of a new status at once beside %i refused refunds',
      async (count) => {
        const owing = await oweRefunds(count)
        const [since, probe_at] = [rounds.nowMs - HOUR_MS, rounds.nowMs + INTERVAL_MS]
        const lane = laneOf({ merchantId: MERCHANT.id, url: REFUNDS, refundId: 1 })
        await rounds.test.database.transact(async (trx) => {
          await trx
            .updateTable('notifications')
            .set({ attempts: 7 })
            .where('transaction_code', '=', owing)
            .execute()
          await trx
            .insertInto('failing_lanes')
            .values({ lane, merchant_id: MERCHANT.id, since, probe_at, probes: 1 })
            .execute()
        })
        expect(await rounds.rounds()).toEqual([])
        const code = await rounds.decline('new')
        expect(idsOf(await rounds.rounds())).toEqual([`${code}-1`])
      },
    )

    it('hears of a new status first while refused refunds are repeated', async () => {
      await oweRefunds(8)
      rounds.answer = () => FAILED
      await rounds.rounds()
      rounds.nowMs += INTERVAL_MS
      const code = await rounds.decline('new')
      expect(idsOf(await rounds.round())).toContain(`${code}-1`)
    })

    it('hears of a new refund at once, and of what was refused every ten minutes', async () => {
      await oweRefunds(12)
      await refuseRefunds()
      expect((await rounds.rounds()).filter(isOfRefund)).toHaveLength(1)
      rounds.nowMs += MINUTE_MS
      const code = await rounds.pay('paid')
      await rounds.rejectRefund(code)
      const sent = await rounds.rounds()
      expect(idsOf(sent.filter(isOfRefund))).toEqual([`${code}-2`])
      rounds.nowMs += INTERVAL_MS - MINUTE_MS
      expect((await rounds.rounds()).filter(isOfRefund)).toHaveLength(1)
    })

    it('hears of everything at an address that is well, whatever another one refuses', async () => {
      await oweRefunds(12, 'https://old.example/refunds')
      rounds.answer = (sent) => (sent.url.includes('old.example') ? FAILED : ACKNOWLEDGED)
      for (let attempt = 0; attempt <= 7; attempt++) {
        await rounds.rounds()
        rounds.nowMs += INTERVAL_MS
      }
      await rounds.rounds()
      rounds.nowMs += MINUTE_MS
      const code = await rounds.pay('paid')
      await rounds.rejectRefund(code)
      expect(idsOf(await rounds.rounds()).toSorted()).toEqual([`${code}-1`, `${code}-2`])
    })

    it('is sent all that an address has refused as soon as it accepts one there', async () => {
      await oweRefunds(12)
      await refuseRefunds()
      rounds.answer = () => ACKNOWLEDGED
      expect((await rounds.rounds()).filter(isOfRefund)).toHaveLength(12)
    })

    it('hears of what release 0.2 has written, and is probed for as long as it knew', async () => {
      await oweRefunds(12)
      await rounds.test.database.transact(async (trx) => {
        const since = rounds.nowMs - 2 * HOUR_MS
        await trx.deleteFrom('acknowledging_stores').execute()
        await trx
          .insertInto('failing_stores')
          .values({ merchant_id: MERCHANT.id, since, probe_at: rounds.nowMs, probes: 3 })
          .execute()
        await trx
          .updateTable('notifications')
          .set({ attempts: 9 })
          .where('done_at', 'is', null)
          .execute()
      })
      rounds.answer = () => FAILED
      const refused = await rounds.rounds()
      // Bounded by the claims before the first refusal.
      expect(refused.length).toBeLessThanOrEqual(2)
      rounds.nowMs += INTERVAL_MS
      expect(await rounds.rounds()).toHaveLength(1)
      const code = await rounds.decline('new')
      await rounds.test.database.transact((trx) =>
        trx.updateTable('notifications').set({ lane: null }).execute(),
      )
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-1`])
    })
  })

for (const engine of TEST_ENGINES)
  it(`an address that never answers delays no other of its store, on ${engine.name}`, async () => {
    const heard = new Map<string, number>()
    let release: () => void = () => undefined
    const hangs = new Promise<void>((resolve) => (release = resolve))
    const test = await openTestNotifications(engine, {
      sender: {
        async send({ url }) {
          const { host } = new URL(url)
          heard.set(host, (heard.get(host) ?? 0) + 1)
          if (host === 'hangs.example') await hangs
          return ACKNOWLEDGED
        },
      },
    })
    onTestFinished(() => test.close())
    const order = async (host: string, reference: string): Promise<void> => {
      const body = cardRequest(reference)
      body.transaction['notification-url'] = `https://${host}/n`
      expect((await test.send('POST', '/transactions', { body })).status).toBe(201)
    }
    await test.gateway.saveMerchant({ ...MERCHANT, payerDeclines: 0, binDeclines: 0 })
    // The store has acknowledged, so it has many places.
    const worker = test.gateway.startWorker()
    await order('well.example', 'well-1')
    await vi.waitUntil(() => heard.has('well.example'), 10_000)
    for (let i = 1; i <= 60; i++) await order('hangs.example', `order-${i}`)
    await vi.waitUntil(() => heard.has('hangs.example'), 10_000)
    for (let i = 2; i <= 5; i++) await order('well.example', `well-${i}`)
    // No place became free: every hanging delivery still hangs.
    await vi.waitUntil(() => heard.get('well.example') === 5, 10_000)
    release()
    await worker.stop()
  }, 60_000)

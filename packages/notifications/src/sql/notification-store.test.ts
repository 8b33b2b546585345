import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ACKNOWLEDGED,
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
} from '../../../gateway/src/gateway.fixture.js'
import type { RefundId, TransactionCode } from '@cofre/gateway/room'
import type { ClaimedNotification, OutgoingNotification, SendResult } from '../model/sending.js'
import { claimNotifications, deliver } from '../notification-delivery.js'
import {
  type TestNotifications,
  attemptsOf,
  openTestNotifications,
} from '../notifications.fixture.js'

const INTERVAL_MS = 10 * MINUTE_MS
const FAILED: SendResult = { statusCode: 500, durationMs: 1, responseExcerpt: '' }

for (const engine of TEST_ENGINES) {
  describe(`NotificationStore on ${engine.name}`, () => {
    let test: TestNotifications
    let nowMs: number
    let machineNowMs: number
    let sent: OutgoingNotification[]
    let receive: () => SendResult | Promise<SendResult>

    beforeEach(async () => {
      nowMs = machineNowMs = NOW_MS
      sent = []
      receive = () => ACKNOWLEDGED
      test = await openTestNotifications(engine, {
        clock: { now: () => nowMs },
        machineClock: { now: () => machineNowMs },
        // No jitter.
        randomBelow: (limit) => (limit === 1000 ? 0 : Math.floor(Math.random() * limit)),
        sender: {
          async send(notification) {
            sent.push(notification)
            return await receive()
          },
        },
      })
    })
    afterEach(() => test.close())

    const deps = () => test.deliveries
    const pay = async (reference: string, merchant = MERCHANT): Promise<TransactionCode> => {
      const body = cardRequest(reference)
      const { json } = await test.send('POST', '/transactions', { body, merchant })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    const decline = () => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
    }
    const claim = (limit = 100) => claimNotifications(deps(), limit)
    const claimOne = async (): Promise<ClaimedNotification> => {
      const [claimed] = await claim(1)
      if (claimed === undefined) throw new Error('nothing is due')
      return claimed
    }
    const round = async (): Promise<number> => {
      const claimed = await claim()
      await Promise.all(claimed.map((notification) => deliver(deps(), notification)))
      return claimed.length
    }
    const passInterval = (): void => {
      nowMs += INTERVAL_MS
      machineNowMs += INTERVAL_MS
    }
    const idsSent = () => sent.map(({ headers }) => headers['webhook-id'])

    it('sends the next change once an earlier COMPLETE is acknowledged, without a search', async () => {
      const code = await pay('order-1')
      receive = () => FAILED
      await round()
      await test.parts.transactions.changeStatus(code, { to: 'CHARGEBACK', atMs: nowMs })
      receive = () => ACKNOWLEDGED
      passInterval()
      expect(await round()).toBe(1)
      expect(await round()).toBe(1)
      expect(idsSent()).toEqual([`${code}-1`, `${code}-1`, `${code}-2`])
    })

    it('sends the next change that came while a COMPLETE was in progress', async () => {
      const code = await pay('order-1')
      const claimed = await claimOne()
      await test.parts.transactions.changeStatus(code, { to: 'CHARGEBACK', atMs: nowMs })
      await deliver(deps(), claimed)
      expect(await round()).toBe(1)
      expect(idsSent()).toEqual([`${code}-1`, `${code}-2`])
    })

    it('opens no unit of work while all that is due is under way', async () => {
      await pay('order-1')
      await claimOne()
      const opened = vi.spyOn(test.database, 'transact')
      expect(await claim()).toEqual([])
      expect(opened).not.toHaveBeenCalled()
      passInterval()
      expect(await claim()).toHaveLength(1)
      expect(opened).toHaveBeenCalledOnce()
    })

    it('does not lose a resend during a delivery', async () => {
      decline()
      const code = await pay('order-1')
      const claimed = await claimOne()
      machineNowMs += 1
      expect(await deps().notifications.resend(code, 1, nowMs)).toBe(true)
      await deliver(deps(), claimed)
      expect(await round()).toBe(1)
      expect(await attemptsOf(test.database, code)).toHaveLength(2)
      expect(await round()).toBe(0)
    })

    it('lets later changes wait for one that is resent', async () => {
      decline()
      const code = await pay('order-1')
      await round()
      await test.database.transact((trx) =>
        trx.updateTable('transactions').set({ status: 'UNDER-REVIEW' }).execute(),
      )
      await test.parts.transactions.changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
      await deps().notifications.resend(code, 1, nowMs)
      expect(await round()).toBe(1)
      expect(await round()).toBe(1)
      expect(idsSent()).toEqual([`${code}-1`, `${code}-1`, `${code}-2`])
    })

    it.each([
      { what: 'refusal', late: FAILED, current: ACKNOWLEDGED, afterwards: 0 },
      { what: 'acknowledgement', late: ACKNOWLEDGED, current: FAILED, afterwards: 1 },
    ])(
      'lets a late worker keep its $what, but not end the claim of another',
      async ({ late, current, afterwards }) => {
        decline()
        const code = await pay('order-1')
        const lateClaim = await claimOne()
        machineNowMs += 16_000
        const currentClaim = await claimOne()
        receive = () => late
        await deliver(deps(), lateClaim)
        nowMs += INTERVAL_MS
        expect(await claim()).toEqual([])
        receive = () => current
        await deliver(deps(), currentClaim)
        const attempts = await attemptsOf(test.database, code)
        expect(attempts.map(({ statusCode }) => statusCode)).toEqual([
          late.statusCode,
          current.statusCode,
        ])
        nowMs += INTERVAL_MS
        receive = () => ACKNOWLEDGED
        expect([await round(), await round()]).toEqual([afterwards, 0])
      },
    )

    it('takes the lease of a dead worker for over when the machine’s clock is set back', async () => {
      await pay('order-1')
      await claimOne()
      machineNowMs -= HOUR_MS
      expect(await claim()).toHaveLength(1)
      expect(await claim()).toHaveLength(0)
    })

    it('gives numbers to changes of the same moment', async () => {
      for (let i = 1; i <= 10; i++) {
        const code = await pay(`order-${i}`)
        const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
        const { json } = await test.send('POST', '/refunds', { body })
        await Promise.all([
          test.parts.refunds.finish(Number(json['refund-id']) as RefundId, 'REJECTED', nowMs),
          test.parts.transactions.changeStatus(code, { to: 'CHARGEBACK', atMs: nowMs }),
        ])
        const found = await test.database.reader
          .selectFrom('notifications')
          .select(['position', 'refund_id', 'blocked'])
          .where('transaction_code', '=', code)
          .orderBy('position')
          .execute()
        const rows = found.map(({ position, refund_id: refundId, blocked }) => ({
          position,
          ofRefund: refundId !== null,
          blocked,
        }))
        expect(rows).toEqual([
          { position: 1, ofRefund: false, blocked: 0 },
          // In either order: the statuses wait for one another, and the refund waits for none of
          // them.
          ...[rows[1], rows[2]].map((row) => ({
            ...row,
            blocked: Number(row?.ofRefund === false),
          })),
        ])
        expect(rows.map(({ position }) => position)).toEqual([1, 2, 3])
        expect(rows.filter(({ ofRefund }) => ofRefund)).toHaveLength(1)
      }
    })

    it('does not count a search that answered an older status', async () => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'review' }))
      const code = await pay('order-1')
      await round()
      const { transactions } = test.parts
      const find = transactions.findSearched.bind(transactions)
      transactions.findSearched = async (merchantId, sought) => {
        const found = await find(merchantId, sought)
        // The bank changes the status meanwhile.
        await transactions.changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
        return found
      }
      const answer = await test.send('GET', `/transactions/${code}`)
      expect(answer.text).toContain('UNDER-REVIEW')
      await round()
      passInterval()
      expect(await round()).toBe(1)
    })

    it('sends nothing unsigned when the store is gone', async () => {
      const code = await pay('order-1')
      const { merchants } = test.parts
      const find = merchants.find.bind(merchants)
      merchants.find = () => Promise.resolve(undefined)
      await round()
      merchants.find = find
      expect(sent).toEqual([])
      expect(await attemptsOf(test.database, code)).toMatchObject([{ error: 'store_unknown' }])
    })

    describe('shares the places', () => {
      const many = async (count: number, merchant = MERCHANT): Promise<void> => {
        await test.gateway.saveMerchant({ ...merchant, payerDeclines: 0, binDeclines: 0 })
        for (let i = 1; i <= count; i++) await pay(`order-${i}`, merchant)
      }
      beforeEach(decline)

      it('so that a store gets two until it has acknowledged, then sixteen and one more for each', async () => {
        await many(20)
        const first = await claim()
        expect(first).toHaveLength(2)
        expect(await claim()).toHaveLength(0)
        await Promise.all(first.map((notification) => deliver(deps(), notification)))
        expect(await claim()).toHaveLength(18)
        expect(await claim()).toHaveLength(0)
      })

      it('so that a store gets two again when it stops acknowledging', async () => {
        await pay('order-0')
        await round()
        await many(20)
        receive = () => FAILED
        const first = await claim()
        expect(first).toHaveLength(17)
        await Promise.all(first.map((notification) => deliver(deps(), notification)))
        expect(await claim()).toHaveLength(2)
      })

      it('so that stores that do not acknowledge together leave some free', async () => {
        const silent = Array.from({ length: 50 }, (_, i) => ({ ...MERCHANT, id: `silent-${i}` }))
        for (const merchant of silent) await many(2, merchant)
        await pay('order-0')
        // Drawn at random among the stores that do not acknowledge, so perhaps not in the first
        // round.
        for (;;) {
          const claimed = await claim()
          const own = claimed.filter(({ merchantId }) => merchantId === MERCHANT.id)
          await Promise.all(own.map((notification) => deliver(deps(), notification)))
          if (own.length > 0) break
          machineNowMs += MINUTE_MS
        }
        machineNowMs += MINUTE_MS
        await many(4)
        const claimed = await claim(128)
        const own = claimed.filter(({ merchantId }) => merchantId === MERCHANT.id)
        expect(own).toHaveLength(4)
        expect(claimed.length - own.length).toBe(96)
        expect(await claim()).toHaveLength(0)
      })
    })
  })
}

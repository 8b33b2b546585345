import {
  type CaptureAnswer,
  type CardAnswer,
  type CardChange,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  minorUnits,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  AUTHORIZED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../gateway.fixture.js'
import { notificationsOf } from '../../ledger/transaction/notifications.fixture.js'
import type { CaptureOutcome } from '../../model/transaction/capture.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { capturePayment, voidPayment } from './authorized-end-service.js'
import { carryOutOrders, endUncaptured } from './capture-work-service.js'
import { applyCardChanges } from '../card-return-service.js'
import { expireUnpaid } from '../expiry-service.js'
import { askAfterOpenIntents } from '../open-intent-service.js'
import type { CaptureListener } from '../ports.js'

type News = CardChange['change']

const STOPPED = AbortSignal.abort()
/** R$ 40,00 of R$ 100,00. */
const PART = minorUnits(4_000)

for (const engine of TEST_ENGINES) {
  describe(`a card that is captured later, on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs: number
    let code: TransactionCode
    let counted: CaptureOutcome[]
    beforeEach(async () => {
      nowMs = NOW_MS
      const clock = { now: () => nowMs }
      counted = []
      const captureEnded: CaptureListener = (outcome) => counted.push(outcome)
      test = await openTestGateway(engine, { clock, machineClock: clock, captureEnded })
      test.answerCards(() => Promise.resolve(AUTHORIZED))
      code = await authorize()
    })
    afterEach(() => test.close())

    const authorize = async (reference = 'order-1') => {
      const body = cardRequest(reference, { installments: 3, capture: false })
      const { json, status } = await test.send('POST', '/transactions', { body })
      expect(status).toBe(201)
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    const found = async () => (await test.parts.transactions.findByCode(code))!
    const capture = async (amountMinor = minorUnits(10_000)) =>
      await capturePayment(test.parts, await found(), { amountMinor, orderedBy: 'store' })
    const cancel = async () => await voidPayment(test.parts, await found(), 'store')
    const answering = (answer: CaptureAnswer): void => {
      test.endAuthorized(() => Promise.resolve(answer))
    }
    const failing = (): void => {
      test.endAuthorized(() => Promise.reject(new Error('connection reset')))
    }
    /** A worker's round, after a pause. */
    const work = async (ms = 2 * MINUTE_MS): Promise<void> => {
      nowMs += ms
      await carryOutOrders(test.parts)
    }
    const rule = async (ms: number): Promise<void> => {
      nowMs += ms
      await endUncaptured(test.parts)
    }
    const rows = () => test.database.reader.selectFrom('captures').selectAll().execute()
    const notified = async () =>
      (await notificationsOf(test.database, code)).map(({ status }) => status)

    let reported = 0
    const report = async (...news: readonly News[]): Promise<void> => {
      for (const change of news)
        test.changes.push({
          id: `change-${++reported}`,
          transactionCode: String(code),
          atMs: nowMs,
          change,
        })
      await applyCardChanges(test.parts, STOPPED)
    }
    const expectCaptured = async (amountMinor: number) => {
      const { capture: ended, status } = await found()
      expect({ ...ended, status }).toMatchObject({
        status: 'COMPLETE',
        state: 'captured',
        amountMinor,
      })
      expect(await notified()).toEqual(['COMPLETE'])
      expect(await rows()).toEqual([])
    }
    const expectReleased = async (releasedBy: string) => {
      const { capture: ended, status } = await found()
      expect({ ...ended, status }).toMatchObject({
        status: 'CANCELLED',
        state: 'released',
        releasedBy,
      })
      expect(await notified()).toEqual(['CANCELLED'])
      expect(await rows()).toEqual([])
    }
    const expectAuthorized = async () => {
      expect(await found()).toMatchObject({ status: 'PENDING', capture: { state: 'authorized' } })
      expect(await notified()).toEqual([])
      expect(await rows()).toMatchObject([{ transaction_code: code, merchant_id: MERCHANT.id }])
    }

    it('is ordered so, and stays PENDING without an expiry', async () => {
      expect(test.orders).toMatchObject([{ isCapturedLater: true }])
      const { capture: authorized, expiresAtMs, firstStatus, open, paidAtMs } = await found()
      expect({ expiresAtMs, firstStatus, open, paidAtMs }).toEqual({
        expiresAtMs: undefined,
        firstStatus: 'PENDING',
        open: false,
        paidAtMs: undefined,
      })
      expect(authorized).toEqual({
        state: 'authorized',
        authorizedAtMs: NOW_MS,
        beforeMs: NOW_MS + 6 * DAY_MS,
        endsAtMs: NOW_MS + 7 * DAY_MS,
      })
      nowMs += 5 * DAY_MS
      expect(await expireUnpaid(test.parts)).toBe(0)
      await expectAuthorized()
      await test.send('POST', '/transactions', { body: cardRequest('order-2') })
      expect(test.orders.at(-1)).not.toHaveProperty('isCapturedLater')
    })

    it('is captured whole, once', async () => {
      expect(await capture()).toEqual({ kind: 'captured' })
      await expectCaptured(10_000)
      const { chargedMinor, paidAtMs } = await found()
      expect(paidAtMs).toBe(NOW_MS)
      expect(test.captures).toEqual([
        {
          environment: 'production',
          merchantId: MERCHANT.id,
          transactionCode: String(code),
          amountMinor: chargedMinor,
        },
      ])
      expect(await capture()).toEqual({ kind: 'captured' })
      expect(await cancel()).toEqual({ kind: 'overtaken', by: 'capture', amountMinor: 10_000 })
      expect(test.captures).toHaveLength(1)
      expect(test.voids).toEqual([])
    })

    it('is captured in part with its share of the interest, and refunded up to it', async () => {
      expect(await capture(PART)).toEqual({ kind: 'captured' })
      await expectCaptured(4_000)
      const { capture: captured, chargedMinor } = await found()
      const share = Math.round((4_000 * chargedMinor) / 10_000)
      expect(captured?.chargedMinor).toBe(share)
      expect(test.captures).toMatchObject([{ amountMinor: share }])
      expect(await capture()).toEqual({ kind: 'overtaken', by: 'capture', amountMinor: 4_000 })
      const refund = (amount?: number) =>
        test.send('POST', '/refunds', {
          body: { 'transaction-id': code, 'notify-url': 'https://shop.example/r', amount },
        })
      expect((await refund(40.01)).codes).toEqual([20609])
      expect((await refund(30)).status).toBe(201)
      const [first] = (await test.parts.refunds.findOf([code])).get(code)!
      await test.parts.refunds.finish(first!.id, 'PROCESSED', nowMs)
      expect((await refund(10.01)).codes).toEqual([20608])
      expect((await refund(10)).status).toBe(201)
      const both = (await test.parts.refunds.findOf([code])).get(code)!
      expect(both.reduce((sum, one) => sum + one.chargedMinor!, 0)).toBe(share)
    })

    it('is refunded whole without an amount, as far as it was captured', async () => {
      await capture(PART)
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/r' }
      expect((await test.send('POST', '/refunds', { body })).status).toBe(201)
      const [refund] = (await test.parts.refunds.findOf([code])).get(code)!
      expect(refund?.amountMinor).toBe(4_000)
    })

    it('is voided, once', async () => {
      expect(await cancel()).toEqual({ kind: 'released' })
      await expectReleased('void')
      expect(await cancel()).toEqual({ kind: 'released' })
      expect(await capture()).toEqual({ kind: 'not-authorized' })
      expect(test.voids).toHaveLength(1)
      expect(test.captures).toEqual([])
    })

    it('is captured or voided if both are ordered at once, never both', async () => {
      const payment = await found()
      const results = await Promise.all([
        capturePayment(test.parts, payment, { amountMinor: PART, orderedBy: 'store' }),
        voidPayment(test.parts, payment, 'person:ana'),
      ])
      // A capture that comes once the void has ended finds nothing authorized.
      const lost = results.filter(({ kind }) => kind === 'overtaken' || kind === 'not-authorized')
      expect(lost).toHaveLength(1)
      expect(test.captures.length + test.voids.length).toBe(1)
      await (test.voids.length > 0 ? expectReleased('void') : expectCaptured(4_000))
    })

    it('that no account authorized is captured by the order alone, in the sandbox', async () => {
      answering({ kind: 'no_charge' })
      expect(await capture()).toEqual({ kind: 'refused' })
      await expectAuthorized()
      const order = { amountMinor: undefined, orderedBy: 'store' }
      const sandbox = { ...test.parts, environment: 'sandbox' } as const
      expect(await capturePayment(sandbox, await found(), order)).toEqual({ kind: 'captured' })
      await expectCaptured(10_000)
    })

    it('is not captured any more once its capture has failed', async () => {
      await capture()
      await report({ kind: 'capture_failed' })
      expect(await capture()).toEqual({ kind: 'not-authorized' })
      expect(await cancel()).toEqual({ kind: 'not-authorized' })
    })

    it.each([
      ['its answer is lost', failing, { kind: 'done' }],
      ['it is in process', answering, { kind: 'in_process' }],
      ['the vault has another order', answering, { kind: 'overtaken', by: 'void' }],
    ] as const)('is asked for by a worker while %s', async (_, disturb, answer) => {
      disturb(answer)
      expect(await capture(PART)).toEqual({ kind: 'in-process' })
      await expectAuthorized()
      expect(await capture()).toEqual({ kind: 'overtaken', by: 'capture', amountMinor: 4_000 })
      expect(await cancel()).toEqual({ kind: 'overtaken', by: 'capture', amountMinor: 4_000 })
      expect(await capture(PART)).toEqual({ kind: 'in-process' })
      const asked = test.captures.length
      await work(MINUTE_MS)
      expect(test.captures).toHaveLength(asked)
      answering({ kind: 'done' })
      await work(MINUTE_MS)
      expect(test.captures).toHaveLength(asked + 1)
      await expectCaptured(4_000)
      expect(test.voids).toEqual([])
    })

    it('stays authorized if its acquirer refuses, and may be ended otherwise', async () => {
      answering({ kind: 'refused', detail: 'not now' })
      expect(await capture(PART)).toEqual({ kind: 'refused' })
      await expectAuthorized()
      expect(test.logged.join()).toContain('not now')
      answering({ kind: 'done' })
      expect(await cancel()).toEqual({ kind: 'released' })
      await expectReleased('void')
    })

    it.each([
      ['provider', DAY_MS],
      ['expired', 7 * DAY_MS],
    ])('that its acquirer has released ends CANCELLED by %s', async (by, ms) => {
      answering({ kind: 'released' })
      nowMs += ms
      expect(await capture()).toEqual({ kind: 'not-authorized' })
      await expectReleased(by)
      expect(counted).toEqual([by])
      const { text } = await test.send('GET', `/transactions/${code}`)
      expect(text.includes('"cancellation-reason":"authorization_expired"')).toBe(by === 'expired')
    })

    describe('by changes that its vault reports', () => {
      it('is captured once, also if the answer and the change both come', async () => {
        failing()
        await capture(PART)
        const [order] = await rows()
        const captured = { kind: 'captured', amountMinor: minorUnits(order!.charged!) } as const
        await report(captured, captured)
        await expectCaptured(4_000)
        answering({ kind: 'done' })
        await work()
        await expectCaptured(4_000)
        expect(counted).toEqual(['captured'])
        expect(test.changes).toEqual([])
        expect(test.logged.join()).not.toContain('conflicts')
      })

      it('is captured by people at the acquirer, with the amount’s share', async () => {
        const { chargedMinor } = await found()
        await report({ kind: 'captured', amountMinor: minorUnits(Math.round(chargedMinor / 4)) })
        await expectCaptured(2_500)
      })

      it.each(['void', 'expired', 'provider'] as const)('is released by %s', async (by) => {
        await report({ kind: 'released', by }, { kind: 'released', by })
        await expectReleased(by)
        expect(counted).toEqual([by])
        expect(test.logged.join()).not.toContain('conflicts')
      })

      it('keeps its end if a change contradicts it, and a person must compare', async () => {
        await capture(PART)
        await report({ kind: 'released', by: 'provider' }, { kind: 'captured', amountMinor: PART })
        await expectCaptured(4_000)
        expect(counted).toEqual(['captured'])
        const conflicts = test.logged.filter((line) => line.includes('conflicts'))
        expect(conflicts).toHaveLength(2)
      })

      it('stays authorized after a refusal; a later order is not ended by it', async () => {
        failing()
        await capture(PART)
        nowMs += 1
        await report({ kind: 'still_authorized', after: 'void' })
        expect(await rows()).toMatchObject([{ operation: 'capture' }])
        const refusedAtMs = nowMs
        await report({ kind: 'still_authorized', after: 'capture' })
        expect(await rows()).toMatchObject([{ operation: null, next_ask_at: null }])
        nowMs += 1
        await capture()
        test.changes.push({
          id: 'late',
          transactionCode: String(code),
          atMs: refusedAtMs,
          change: { kind: 'still_authorized', after: 'capture' },
        })
        await applyCardChanges(test.parts, STOPPED)
        expect(await rows()).toMatchObject([{ operation: 'capture', amount: 10_000 }])
        expect(counted).toEqual(['refused'])
      })

      it('waits with a chargeback until it is captured', async () => {
        const amountMinor = PART
        await report({ kind: 'charged_back', amountMinor })
        expect(test.changes).toHaveLength(1)
        await capture()
        await applyCardChanges(test.parts, STOPPED)
        expect((await found()).status).toBe('CHARGEBACK')
      })
    })

    describe('whose answer to the order comes late', () => {
      const lost = async (): Promise<void> => {
        test.answerCards(() => Promise.reject(new Error('connection reset')))
        code = await authorize('order-2')
        expect(await found()).toMatchObject({ status: 'UNDER-REVIEW', open: true })
      }
      const capturedWhole = async () => {
        expect(await capture()).toEqual({ kind: 'captured' })
        expect((await found()).status).toBe('COMPLETE')
      }

      // With the flag, and after the end, when the vault's answer no longer has it.
      it.each<[string, CardAnswer]>([
        ['while it is authorized', AUTHORIZED],
        ['after its end', APPROVED],
      ])('is authorized by a worker’s question %s', async (_, answer) => {
        await lost()
        test.recallCards(() => answer)
        nowMs += 3 * MINUTE_MS
        await askAfterOpenIntents(test.parts)
        expect(await found()).toMatchObject({
          status: 'UNDER-REVIEW',
          open: false,
          capture: { state: 'authorized' },
        })
        await capturedWhole()
      })

      it('is authorized by the change that ends its authentication', async () => {
        test.answerCards(() => Promise.resolve({ ...AUTHORIZED, outcome: 'pending' }))
        code = await authorize('order-3')
        expect((await found()).capture).toBeUndefined()
        await report({ kind: 'captured', amountMinor: PART })
        expect(test.changes).toHaveLength(1)
        test.changes.splice(0)
        await report({ kind: 'settled', answer: AUTHORIZED })
        await report({ kind: 'settled', answer: AUTHORIZED })
        expect(await found()).toMatchObject({ status: 'PENDING', capture: { state: 'authorized' } })
        await capturedWhole()
      })
    })

    describe('that is not captured in time', () => {
      it('is voided by the rule, not before', async () => {
        await rule(6 * DAY_MS - 1)
        expect(await rows()).toMatchObject([{ operation: null }])
        await rule(1)
        expect(await rows()).toMatchObject([{ operation: 'void', ordered_by: 'rule' }])
        expect(await capture()).toEqual({ kind: 'overtaken', by: 'void', amountMinor: 10_000 })
        await work(0)
        await expectReleased('void')
        expect(counted).toEqual(['rule'])
      })

      it('is captured by the rule of a store that wants it so', async () => {
        await test.gateway.saveMerchant({ ...MERCHANT, uncaptured: 'capture' })
        await rule(6 * DAY_MS)
        expect(await rows()).toMatchObject([{ operation: 'capture', ordered_by: 'rule' }])
        await work(0)
        await expectCaptured(10_000)
        expect(test.voids).toEqual([])
      })

      it('is still captured if that was ordered before', async () => {
        failing()
        nowMs += 6 * DAY_MS - 1
        await capture(PART)
        await rule(1)
        answering({ kind: 'done' })
        await work()
        await expectCaptured(4_000)
        expect(test.voids).toEqual([])
      })

      it('is voided again an hour after its acquirer refused', async () => {
        answering({ kind: 'refused', detail: 'not now' })
        await rule(6 * DAY_MS)
        await work(0)
        await report({ kind: 'still_authorized', after: 'void' })
        expect(counted).toEqual(['refused'])
        await rule(HOUR_MS - 1)
        expect(await rows()).toMatchObject([{ operation: null }])
        answering({ kind: 'done' })
        await rule(1)
        await work(0)
        await expectReleased('void')
      })
    })

    it('ends in no other way', async () => {
      const { transactions } = test.parts
      for (const to of ['COMPLETE', 'CANCELLED', 'EXPIRED'] as const)
        expect(await transactions.changeStatus(code, { to, atMs: nowMs })).toBeUndefined()
      await expectAuthorized()
    })

    it('leaves nothing once it is deleted', async () => {
      await test.parts.transactions.deleteAnswered(MERCHANT.id)
      expect(await rows()).toEqual([])
      expect(await test.parts.transactions.findByCode(code)).toBeUndefined()
    })

    it('counts as a purchase until it is voided', async () => {
      const bought = async () => {
        const all = await test.database.reader.selectFrom('payer_purchases').selectAll().execute()
        return all.reduce((sum, row) => sum + row.bought, 0)
      }
      expect(await bought()).toBe(10_000)
      await cancel()
      expect(await bought()).toBe(0)
    })

    it('counts as a decline if it was declined, not if it was voided', async () => {
      const declines = () => test.database.reader.selectFrom('card_declines').selectAll().execute()
      await cancel()
      expect(await declines()).toEqual([])
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
      code = await authorize('order-2')
      expect(await found()).toMatchObject({ status: 'CANCELLED', capture: undefined })
      expect(await declines()).toMatchObject([{ transaction_code: code }])
    })
  })
}

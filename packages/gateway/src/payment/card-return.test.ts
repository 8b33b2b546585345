import {
  type CardAnswer,
  type CardChange,
  type CardRefundAnswer,
  MINUTE_MS,
  minorUnits,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../gateway.fixture.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import { applyCardChanges } from './card-return-service.js'
import { processRefunds } from './refund-service.js'
import { notificationsOf } from '../ledger/transaction/notifications.fixture.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'

type News = CardChange['change']

/** Ends the pause of a round without changes immediately. */
const STOPPED = AbortSignal.abort()

/** An answer without an account. */
const ANSWERED: CardAnswer = { kind: 'answered', outcome: 'approved', card: APPROVED.card }

for (const engine of TEST_ENGINES) {
  describe(`what goes back to a card on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    let code: TransactionCode
    let counted: string[]
    beforeEach(async () => {
      nowMs = NOW_MS
      const clock = { now: () => nowMs }
      counted = []
      test = await openTestGateway(engine, {
        clock,
        machineClock: clock,
        cardChangeEnded: (kind, outcome) => {
          counted.push(`${kind} ${outcome}`)
        },
      })
      code = await pay()
    })
    afterEach(() => test.close())

    const pay = async (reference = 'order-1', info: object = { installments: 3 }) => {
      const body = cardRequest(reference, { ...info })
      const { json } = await test.send('POST', '/transactions', { body })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    const ask = (body: object = {}) =>
      test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds', ...body },
      })
    const process = async (ms = 2 * MINUTE_MS): Promise<void> => {
      nowMs += ms
      await processRefunds(test.parts)
    }
    const answering = (answer: CardRefundAnswer): void => {
      test.refundCards(() => Promise.resolve(answer))
    }
    const found = async () => (await test.parts.transactions.findByCode(code))!
    const status = async () => (await found()).status
    const refunds = async () => (await test.parts.refunds.findOf([code])).get(code) ?? []
    /** The shop's notifications, in order: a status, or the end of a refund. */
    const notified = async () =>
      (await notificationsOf(test.parts.database, code)).map((notification) =>
        notification.refundId === undefined ? notification.status : 'refund',
      )
    const details = () =>
      withOperator(test).gateway.backOffice.findTransaction(MERCHANT.id, String(code))
    const searched = async () => (await test.send('GET', `/transactions/${code}`)).text

    let reported = 0
    const newsOf = (change: News, of: number = code): CardChange => ({
      id: `change-${++reported}`,
      transactionCode: String(of),
      atMs: nowMs,
      change,
    })
    /** The vault reports, and the worker's rounds finish. */
    const report = async (...changes: readonly CardChange[]): Promise<void> => {
      test.changes.push(...changes)
      await applyCardChanges(test.parts, STOPPED)
    }
    const reportOf = (...news: readonly News[]) => report(...news.map((change) => newsOf(change)))
    const amountMinor = minorUnits(10_000)

    it('is asked of the vault, with the order’s payer before', async () => {
      expect(test.orders).toMatchObject([
        {
          payer: { name: 'Maria da Silva', document: '52998224725', ip: undefined },
          isSubscription: false,
        },
      ])
      expect((await found()).paymentDetails).toEqual({
        kind: 'card',
        charge: APPROVED.charge,
      })
    })

    it('is a subscription’s where its cart has one', async () => {
      const { cart, ...rest } = cardRequest('order-2')
      const body = { ...rest, cart: cart.map((item) => ({ ...item, type: 'subscription' })) }
      const withIp = { ...body, payer: { ...body.payer, ip: '203.0.113.7' } }
      await test.send('POST', '/transactions', { body: withIp })
      expect(test.orders.at(-1)).toMatchObject({
        isSubscription: true,
        payer: { ip: '203.0.113.7' },
      })
    })

    describe('a refund', () => {
      it('sends the share of what was charged, and its parts sum to it', async () => {
        const { chargedMinor } = await found()
        expect(chargedMinor).toBeGreaterThan(amountMinor)
        for (const amount of [33.33, 33.33, 33.34]) {
          expect((await ask({ amount, reference: `return-${amount}-${nowMs}` })).status).toBe(201)
          await process()
        }
        expect(test.cardRefunds).toMatchObject([
          {
            environment: 'production',
            merchantId: MERCHANT.id,
            transactionCode: String(code),
            amountMinor: Math.round((3_333 * chargedMinor) / 10_000),
          },
          {},
          {},
        ])
        const sent = test.cardRefunds.reduce((sum, order) => sum + order.amountMinor, 0)
        expect(sent).toBe(chargedMinor)
        expect((await refunds()).map((refund) => refund.amountMinor)).toEqual([3_333, 3_333, 3_334])
        expect(await searched()).toContain('"refund-amount":"33.34"')
        const each = ['REFUNDED', 'refund']
        expect(await notified()).toEqual(['COMPLETE', ...each, ...each, ...each])
      })

      it('sends all that was charged for the whole order', async () => {
        await ask()
        await process()
        expect(test.cardRefunds).toMatchObject([{ amountMinor: (await found()).chargedMinor }])
      })

      it('is asked for again under its number while it is in process or unanswered', async () => {
        await ask()
        answering({ kind: 'in_process' })
        await process()
        test.refundCards(() => Promise.reject(new Error('connection reset')))
        await expect(process()).rejects.toThrow('connection reset')
        expect(await refunds()).toMatchObject([{ status: 'PROCESSING' }])
        answering({ kind: 'done' })
        await process(5 * MINUTE_MS)
        expect(await refunds()).toMatchObject([{ status: 'PROCESSED' }])
        expect(test.cardRefunds).toHaveLength(3)
        expect(new Set(test.cardRefunds.map((order) => JSON.stringify(order))).size).toBe(1)
      })

      it.each<[string, CardRefundAnswer]>([
        ['refuses it', { kind: 'refused', detail: 'balance too low' }],
        ['knows no charge of it', { kind: 'no_charge' }],
      ])('is rejected when the vault %s, and its amount is free again', async (_, answer) => {
        await ask()
        answering(answer)
        await process()
        expect(await refunds()).toMatchObject([{ status: 'REJECTED' }])
        expect(await status()).toBe('COMPLETE')
        answering({ kind: 'done' })
        expect((await ask()).status).toBe(201)
        await process()
        expect(await status()).toBe('REFUNDED')
      })

      it('is not begun in production where no account has charged the card', async () => {
        test.answerCards(() => Promise.resolve(ANSWERED))
        code = await pay('order-2')
        expect(await ask()).toMatchObject({ status: 422, codes: [20605] })
        expect(await refunds()).toEqual([])
        expect(await searched()).toContain('"refundable":false')
      })
    })

    describe('a change that the acquirer reports', () => {
      it('is applied once, however often it comes, and acknowledged after that', async () => {
        const change = newsOf({ kind: 'charged_back', amountMinor })
        await report(change)
        expect(test.changes).toEqual([])
        await report(change, change)
        expect(await status()).toBe('CHARGEBACK')
        expect(await notified()).toEqual(['COMPLETE', 'CHARGEBACK'])
        expect((await details())?.cardChanges).toHaveLength(1)
      })

      it('is acknowledged later when the acknowledgement was lost', async () => {
        const acknowledge = vi.spyOn(test.parts.cards, 'acknowledge')
        acknowledge.mockRejectedValueOnce(new Error('connection reset'))
        const change = newsOf({ kind: 'charged_back', amountMinor })
        await expect(report(change)).rejects.toThrow('connection reset')
        expect(test.changes).toHaveLength(1)
        await report()
        expect(test.changes).toEqual([])
        expect(await notified()).toEqual(['COMPLETE', 'CHARGEBACK'])
      })

      it('is kept by the vault when it could not be committed', async () => {
        const apply = vi.spyOn(test.parts.cardChanges, 'apply')
        apply.mockRejectedValueOnce(new Error('out of memory'))
        const [first, second] = [
          newsOf({ kind: 'charged_back', amountMinor }),
          newsOf({ kind: 'dispute_announced', amountMinor }),
        ]
        await report(first, second)
        expect(test.changes).toEqual([first, second])
        await report()
        expect(test.changes).toEqual([])
        expect(await status()).toBe('CHARGEBACK')
      })

      it('is not overtaken by a later one of its charge while it could not be applied', async () => {
        await ask()
        const [refund] = await refunds()
        const ended = (outcome: 'PROCESSED' | 'REJECTED') =>
          newsOf({ kind: 'refund_ended', refundId: String(refund!.id), amountMinor, outcome })
        const other = await pay('order-2')
        const apply = vi.spyOn(test.parts.cardChanges, 'apply')
        apply.mockRejectedValueOnce(new Error('lock timeout'))
        const changes = [ended('PROCESSED'), ended('REJECTED')]
        await report(...changes, newsOf({ kind: 'capture_failed' }, other))
        expect(test.changes).toEqual(changes)
        expect(await refunds()).toMatchObject([{ status: 'PROCESSING' }])
        expect((await test.parts.transactions.findByCode(other))?.status).toBe('CANCELLED')
        await report()
        expect(await refunds()).toMatchObject([{ status: 'REJECTED' }])
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'refund', 'refund'])
      })

      it('waits for the end of its transaction, also in one round with it', async () => {
        test.answerCards(() => Promise.resolve({ ...ANSWERED, outcome: 'pending' }))
        code = await pay('order-2')
        const settled: News = { kind: 'settled', answer: APPROVED }
        await reportOf({ kind: 'charged_back', amountMinor }, settled)
        expect(test.changes).toHaveLength(1)
        await report()
        expect(await status()).toBe('CHARGEBACK')
      })

      it('is counted with what became of it', async () => {
        const apply = vi.spyOn(test.parts.cardChanges, 'apply')
        apply.mockRejectedValueOnce(new Error('lock timeout'))
        await reportOf({ kind: 'capture_failed' })
        const again = newsOf({ kind: 'dispute_announced', amountMinor })
        await report(again)
        await report(again, newsOf({ kind: 'capture_failed' }, 77))
        await reportOf({ kind: 'chargeback_reversed', amountMinor })
        expect(counted).toEqual([
          'capture_failed failed',
          'capture_failed applied',
          'dispute_announced applied',
          'dispute_announced known',
          'capture_failed no-transaction',
          'chargeback_reversed unfit',
        ])
      })

      it('is applied once by two workers at a time', async () => {
        test.changes.push(
          newsOf({
            kind: 'provider_refund',
            providerRefundId: 'P1',
            amountMinor,
            outcome: 'PROCESSED',
          }),
        )
        await Promise.all([
          applyCardChanges(test.parts, STOPPED),
          applyCardChanges(test.parts, STOPPED),
        ])
        expect(await refunds()).toHaveLength(1)
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED'])
      })

      it('of an unknown transaction is logged, and does not come again', async () => {
        await report(newsOf({ kind: 'capture_failed' }, 77))
        expect(test.changes).toEqual([])
        expect(test.logged.join()).toContain('a charge without a transaction')
      })
    })

    describe('the end of a waiting charge', () => {
      const waiting = async (outcome: 'pending' | 'review' | 'unknown') => {
        test.answerCards(() => Promise.resolve({ ...ANSWERED, outcome }))
        code = await pay('order-2')
      }
      const settled = (over: object = {}): News => ({
        kind: 'settled',
        answer: { ...APPROVED, ...over },
      })

      it.each(['pending', 'review', 'unknown'] as const)(
        'that was %s completes it',
        async (was) => {
          await waiting(was)
          await reportOf(settled())
          expect(await found()).toMatchObject({
            status: 'COMPLETE',
            open: false,
            paidAtMs: nowMs,
            paymentDetails: { charge: APPROVED.charge },
          })
          expect((await notified()).at(-1)).toBe('COMPLETE')
          expect((await ask()).status).toBe(201)
        },
      )

      it('shows why it was declined', async () => {
        await waiting('review')
        const decline = { reason: 'suspected_fraud', retry: { kind: 'never' } } as const
        await reportOf(settled({ outcome: 'declined', decline }))
        expect(await found()).toMatchObject({
          status: 'CANCELLED',
          paymentDetails: { kind: 'card', decline, charge: APPROVED.charge },
        })
        expect(await searched()).not.toContain('cancellation-reason')
        expect(await notified()).toEqual(['UNDER-REVIEW', 'CANCELLED'])
      })

      it('counts towards the limits of declines, once', async () => {
        await waiting('review')
        const news = newsOf(settled({ outcome: 'declined' }))
        await report(news, news)
        const declines = await test.database.reader
          .selectFrom('card_declines')
          .select(['payer_document', 'bin', 'declined_at'])
          .execute()
        expect(declines).toEqual([
          { payer_document: '52998224725', bin: '411111', declined_at: nowMs },
        ])
      })

      it('has the card activated that it saved', async () => {
        await waiting('review')
        const savedCard = {
          code: 'A'.repeat(32),
          brand: 'visa',
          lastFour: '1111',
          expirationDate: '2030-12',
          createdAtMs: NOW_MS,
        }
        await reportOf(settled({ savedCard }))
        expect(await found()).toMatchObject({ savedCard, activateAtMs: 0 })
      })

      it('comes before what follows from it, in whatever order both are read', async () => {
        await waiting('pending')
        const [end, after] = [newsOf(settled()), newsOf({ kind: 'charged_back', amountMinor })]
        await report(after)
        expect(await status()).toBe('PENDING')
        expect(test.changes).toEqual([after])
        await report(end)
        await report()
        expect(await status()).toBe('CHARGEBACK')
        expect(test.changes).toEqual([])
      })

      it('changes nothing that has ended before', async () => {
        await ask({ amount: 10 })
        await process()
        await reportOf(settled())
        expect(await status()).toBe('REFUNDED')
        expect(test.logged.join()).not.toContain('conflicts with')
        await reportOf(settled({ outcome: 'declined' }))
        expect(await status()).toBe('REFUNDED')
        expect(test.logged.join()).toContain('a reported change conflicts with its transaction')
      })
    })

    describe('a capture that failed', () => {
      it('cancels a completed transaction, whose purchase does not count any more', async () => {
        const bought = async () =>
          (await test.database.reader.selectFrom('payer_purchases').selectAll().execute()).map(
            (row) => row.bought,
          )
        expect(await bought()).toEqual([10_000])
        await reportOf({ kind: 'capture_failed' })
        expect(await status()).toBe('CANCELLED')
        expect(await searched()).toContain('"cancellation-reason":"capture_failed"')
        expect(await notified()).toEqual(['COMPLETE', 'CANCELLED'])
        expect(await bought()).toEqual([0])
      })

      it.each(['REFUNDED', 'CHARGEBACK'] as const)('leaves one that is %s', async (to) => {
        await test.parts.transactions.changeStatus(code, { to, atMs: nowMs })
        await reportOf({ kind: 'capture_failed' })
        expect(await status()).toBe(to)
        expect(test.logged.join()).toContain('a reported change conflicts with its transaction')
      })

      it('is the only way from COMPLETE to CANCELLED', async () => {
        const changed = await test.gateway.desk.changes.changeStatus(code, 'CANCELLED')
        expect(changed).toBe(false)
      })
    })

    describe('the end of a refund', () => {
      const ended = async (outcome: 'PROCESSED' | 'REJECTED'): Promise<void> => {
        const [refund] = await refunds()
        await reportOf({
          kind: 'refund_ended',
          refundId: String(refund!.id),
          amountMinor: refund!.chargedMinor!,
          outcome,
        })
      }

      it('is taken from the acquirer while it is in process', async () => {
        await ask()
        await ended('PROCESSED')
        expect(await status()).toBe('REFUNDED')
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'refund'])
      })

      it('may be reversed: the amount is free again, the transaction stays REFUNDED', async () => {
        await ask()
        await process()
        await ended('REJECTED')
        expect(await refunds()).toMatchObject([{ status: 'REJECTED' }])
        expect(await status()).toBe('REFUNDED')
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'refund', 'refund'])
        expect(await searched()).toContain('"refunded-amount":"0.00"')
        expect(await searched()).toContain('"refundable":true')
        expect((await ask()).status).toBe(201)
        await process()
        expect(test.cardRefunds.at(-1)?.amountMinor).toBe((await found()).chargedMinor)
      })

      it('may come after it was rejected: then it is made after all', async () => {
        await ask()
        await ended('REJECTED')
        await ended('PROCESSED')
        expect(await refunds()).toMatchObject([{ status: 'PROCESSED' }])
        expect(await status()).toBe('REFUNDED')
      })

      it('is an error if refunds exceed the charge', async () => {
        await ask()
        await ended('REJECTED')
        nowMs += MINUTE_MS
        await ask()
        await ended('PROCESSED')
        expect((await refunds()).map((refund) => refund.status)).toEqual([
          'PROCESSED',
          'PROCESSING',
        ])
        expect(test.logged.join()).toContain('refunds exceed the charged amount')
        expect(counted.at(-1)).toBe('refund_ended excess')
      })
    })

    describe('a refund that people made at the acquirer', () => {
      const byHand = (
        charged: number,
        outcome: 'PROCESSED' | 'REJECTED' = 'PROCESSED',
        providerRefundId = 'P1',
      ): News => ({
        kind: 'provider_refund',
        providerRefundId,
        amountMinor: minorUnits(charged),
        outcome,
      })

      it('is one of the transaction, in the store’s amounts', async () => {
        const { chargedMinor } = await found()
        const half = Math.round(chargedMinor / 2)
        await reportOf(byHand(half))
        expect(await refunds()).toMatchObject([
          { status: 'PROCESSED', amountMinor: 5_000, chargedMinor: half, providerRefundId: 'P1' },
        ])
        expect(await status()).toBe('REFUNDED')
        expect(await searched()).toContain('"refund-origin":"provider"')
        expect(await searched()).toContain('"refunded-amount":"50.00"')
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED'])
        expect(await ask({ amount: 50.01 })).toMatchObject({ codes: [20608] })
        await ask({ amount: 50 })
        await process()
        expect(test.cardRefunds).toMatchObject([{ amountMinor: chargedMinor - half }])
      })

      it('has its own amount beside a refund of the store that is in process', async () => {
        const { chargedMinor } = await found()
        await ask()
        nowMs += MINUTE_MS
        await reportOf(byHand(chargedMinor))
        expect(await refunds()).toMatchObject([
          { status: 'PROCESSING', amountMinor: 10_000 },
          { status: 'PROCESSED', amountMinor: 10_000, chargedMinor },
        ])
        answering({ kind: 'refused', detail: 'fully refunded' })
        await process()
        expect(await ask()).toMatchObject({ status: 422, codes: [20608] })
        expect(test.cardRefunds).toHaveLength(1)
      })

      it('of all that was charged leaves nothing to send, whatever its amount was', async () => {
        const { chargedMinor } = await found()
        await reportOf(byHand(chargedMinor))
        await test.database.transact((trx) =>
          trx.updateTable('refunds').set({ amount: 9_999 }).execute(),
        )
        expect(await ask({ amount: 0.01 })).toMatchObject({ status: 422, codes: [20608] })
        await process()
        expect(test.cardRefunds).toEqual([])
        expect(await searched()).toContain('"refundable":false')
      })

      it('is free again when the acquirer has not made it after all', async () => {
        await reportOf(byHand(4_000))
        await reportOf(byHand(4_000, 'REJECTED'))
        expect(await refunds()).toMatchObject([{ status: 'REJECTED' }])
        expect((await ask()).status).toBe(201)
      })

      it('is nothing when it was never made', async () => {
        await reportOf(byHand(4_000, 'REJECTED'))
        expect(await refunds()).toEqual([])
        expect(await notified()).toEqual(['COMPLETE'])
      })
    })

    describe('a dispute', () => {
      const chargedBack: News = { kind: 'charged_back', amountMinor }
      const reversed: News = { kind: 'chargeback_reversed', amountMinor }

      it('that is announced is shown, and changes no status', async () => {
        const change = {
          ...newsOf({ kind: 'dispute_announced', amountMinor }),
          detail: 'fraud 10.4',
        }
        await report(change)
        expect(await status()).toBe('COMPLETE')
        expect(await notified()).toEqual(['COMPLETE'])
        expect(await details()).toMatchObject({
          cardChanges: [
            { kind: 'dispute_announced', amountMinor, detail: 'fraud 10.4', atMs: nowMs },
          ],
        })
      })

      it('that is charged back and won is COMPLETE again, as paid as before', async () => {
        const { paidAtMs } = await found()
        nowMs += MINUTE_MS
        await reportOf(chargedBack)
        expect(await ask()).toMatchObject({ codes: [20615] })
        await reportOf(reversed)
        expect(await found()).toMatchObject({ status: 'COMPLETE', paidAtMs })
        expect(await notified()).toEqual(['COMPLETE', 'CHARGEBACK', 'COMPLETE'])
        const history = (await details())?.history.map((entry) => entry.status)
        expect(history).toEqual(['COMPLETE', 'CHARGEBACK', 'COMPLETE'])
        expect((await ask()).status).toBe(201)
      })

      it('that is won is REFUNDED again where a part had gone back', async () => {
        await ask({ amount: 10 })
        await process()
        await reportOf(chargedBack, reversed)
        expect(await status()).toBe('REFUNDED')
      })

      it('that is charged back again stays so', async () => {
        await reportOf(chargedBack, reversed, chargedBack)
        expect(await status()).toBe('CHARGEBACK')
      })

      it('that is won before it is charged back, by what is read, changes nothing', async () => {
        await reportOf(reversed)
        await reportOf(chargedBack)
        expect(await status()).toBe('COMPLETE')
        expect(await notified()).toEqual(['COMPLETE'])
      })

      it('of a cancelled transaction is logged', async () => {
        await reportOf({ kind: 'capture_failed' })
        await reportOf(chargedBack)
        expect(await status()).toBe('CANCELLED')
        expect(test.logged.join()).toContain('a reported change conflicts with its transaction')
      })
    })
  })
}

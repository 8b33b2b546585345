import { type CardChange, HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../gateway.fixture.js'
import { formatTimestamp } from '../model/calendar/brazilian-calendar.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import { applyCardChanges } from './card-return-service.js'
import { processRefunds } from './refund-service.js'
import { notificationsOf } from '../ledger/transaction/notifications.fixture.js'

const STOPPED = AbortSignal.abort()

for (const engine of TEST_ENGINES)
  describe(`a refund of a card on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs: number
    let code: TransactionCode
    beforeEach(async () => {
      nowMs = NOW_MS
      const clock = { now: () => nowMs }
      test = await openTestGateway(engine, { clock, machineClock: clock })
      code = await pay('order-1')
    })
    afterEach(() => test.close())

    const pay = async (reference: string) => {
      const body = cardRequest(reference, { installments: 3 })
      const { json } = await test.send('POST', '/transactions', { body })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    const ask = (body: object = {}, key?: string) =>
      test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds', ...body },
        headers: { 'idempotency-key': key },
      })
    const process = async (ms = 2 * MINUTE_MS): Promise<void> => {
      nowMs += ms
      await processRefunds(test.parts)
    }
    const found = async () => (await test.parts.transactions.findByCode(code))!
    const refunds = async () => (await test.parts.refunds.findOf([code])).get(code) ?? []
    const notified = async () =>
      (await notificationsOf(test.parts.database, code)).map((notification) => notification.status)
    const searched = async () => (await test.send('GET', `/transactions/${code}`)).text

    it('shows its acquirer’s earliest date until it is made', async () => {
      await ask()
      const notBeforeMs = nowMs + 20 * HOUR_MS
      test.refundCards(() => Promise.resolve({ kind: 'in_process', notBeforeMs }))
      await process()
      expect(await refunds()).toMatchObject([{ status: 'PROCESSING', notBeforeMs }])
      const earliest = `"refund-earliest-date":"${formatTimestamp(notBeforeMs)}"`
      expect(await searched()).toContain(earliest)
      test.refundCards(() => Promise.resolve({ kind: 'in_process' }))
      await process(20 * HOUR_MS)
      expect(await searched()).not.toContain('refund-earliest-date')
    })

    it('of an order from before accounts sends what was asked for', async () => {
      await ask({ amount: 40 })
      await test.database.transact((trx) =>
        trx.updateTable('refunds').set({ charged: null }).execute(),
      )
      await process()
      expect(test.cardRefunds).toMatchObject([{ amountMinor: 4_000 }])
    })

    describe('that a restored database has forgotten', () => {
      let reported = 0
      /** The vault identifies it by its request: three fifths of the charge. */
      const report = async (
        outcome: 'PROCESSED' | 'REJECTED',
        { refundId = '77', identity = undefined as string | undefined } = {},
      ): Promise<void> => {
        const named = { reference: 'return-1', ...(identity !== undefined && { identity }) }
        const amountMinor = minorUnits(Math.round((await found()).chargedMinor * 0.6))
        const change: CardChange = {
          id: `change-${++reported}`,
          transactionCode: String(code),
          atMs: nowMs,
          change: { kind: 'refund_ended', refundId, amountMinor, ...named, outcome },
        }
        test.changes.push(change)
        await applyCardChanges(test.parts, STOPPED)
      }

      it('is one of the store again, and nothing beyond what is left goes back', async () => {
        await report('PROCESSED')
        expect(test.logged.join()).not.toContain('conflicts with')
        expect(await refunds()).toMatchObject([
          { id: 77, status: 'PROCESSED', amountMinor: 6_000, reference: 'return-1' },
        ])
        expect(await searched()).toContain('"refund-origin":"store"')
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED'])
        expect(await ask({ amount: 60 })).toMatchObject({ status: 422, codes: [20608] })
        expect((await ask({ amount: 40 })).status).toBe(201)
        await process()
        const { chargedMinor } = await found()
        expect(test.cardRefunds.map((order) => order.amountMinor)).toEqual([
          chargedMinor - Math.round(chargedMinor * 0.6),
        ])
      })

      it('is not made again when the store asks for it once more', async () => {
        const identity = `k${await test.parts.keyDigests.of(MERCHANT.id, 'key-1')}`
        await report('PROCESSED', { identity })
        const asked = { amount: 60, reference: 'return-1' }
        expect(await ask(asked)).toMatchObject({ status: 409, codes: [20607] })
        const again = await ask(asked, 'key-1')
        expect(again).toMatchObject({ status: 201, json: { 'refund-id': '77' } })
        await process()
        expect(test.cardRefunds).toEqual([])
      })

      it('may have ended before one that is in process, and end otherwise', async () => {
        await ask({ amount: 10 })
        nowMs += MINUTE_MS
        await report('PROCESSED')
        await report('REJECTED')
        expect((await refunds()).map(({ status }) => status)).toEqual(['PROCESSING', 'REJECTED'])
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'REFUNDED'])
        expect(await searched()).toContain('"refunded-amount":"0.00"')
      })

      it('is shown as rejected where nothing went back', async () => {
        await report('REJECTED')
        expect(await refunds()).toMatchObject([{ id: 77, status: 'REJECTED' }])
        expect((await found()).status).toBe('COMPLETE')
      })

      it('is logged where its number is another’s', async () => {
        await ask()
        const refundId = String((await refunds())[0]!.id)
        code = await pay('order-2')
        await report('PROCESSED', { refundId })
        expect(await refunds()).toEqual([])
        expect(test.logged.join()).toContain('a reported change conflicts with its transaction')
      })
    })
  })

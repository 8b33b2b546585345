import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS } from '../../../gateway/src/gateway.fixture.js'
import { type PixGateway, openPixGateway } from '../payment/pix-bank.fixture.js'
import { sweepAccounts } from '../payment/bank-sweep-service.js'
import { readCharges } from '../payment/charge-read-service.js'
import { askAfterOpenCharges } from '../../../gateway/src/payment/open-intent-service.js'
import { refundSurpluses } from '../payment/bank-refund-service.js'
import { processRefunds } from '../../../gateway/src/payment/refund-service.js'
import { OPEN_INTENT_CHECK_AFTER_MS } from '../../../gateway/src/model/transaction/transaction.js'

const NOTHING = {
  merchantId: MERCHANT.id,
  accountId: 'bank-1',
  openPix: 0,
  openBoletos: 0,
  unansweredReadSinceMs: undefined,
  unansweredSweepSinceMs: undefined,
  surplusWaiting: 0,
  surplusSinceMs: undefined,
  surplusRejected: 0,
  refundSinceMs: undefined,
  removalSinceMs: undefined,
}

for (const engine of TEST_ENGINES) {
  describe(`what banks have not answered yet, on ${engine.name}`, () => {
    let pix: PixGateway
    beforeEach(async () => {
      pix = await openPixGateway(engine)
    })
    afterEach(() => pix.close())
    const backlog = () => pix.gateway.bankBacklog()
    const after = async (ms: number): Promise<void> => {
      pix.time.nowMs += ms
      await readCharges(pix.parts)
      await sweepAccounts(pix.parts)
    }

    it('is nothing before the first charge, and nothing once all is answered', async () => {
      expect(await backlog()).toEqual([])
      await pix.create('order-1')
      await pix.create('order-2')
      expect(await backlog()).toEqual([{ ...NOTHING, openPix: 2 }])
      for (const txid of pix.bank.charges.keys()) pix.bank.pay(10_000, txid)
      await after(5 * SECOND_MS)
      expect(await backlog()).toEqual([NOTHING])
    })

    it('counts since the first read and sweep without an answer, until there is one', async () => {
      await pix.create('order-1')
      pix.bank.disturb('findCharge', 'unavailable', 'cut-before')
      pix.bank.disturb('listPayments', 'unavailable', 'cut-before')
      await after(5 * SECOND_MS)
      const sinceMs = NOW_MS + 5 * SECOND_MS
      const unanswered = { unansweredReadSinceMs: sinceMs, unansweredSweepSinceMs: sinceMs }
      expect(await backlog()).toEqual([{ ...NOTHING, ...unanswered, openPix: 1 }])
      await after(MINUTE_MS)
      expect(await backlog()).toEqual([{ ...NOTHING, ...unanswered, openPix: 1 }])
      await after(HOUR_MS)
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await after(0)
      expect(await backlog()).toEqual([{ ...NOTHING, openPix: 1 }])
    })

    it('counts no read that was put off, and that read is made up for soon', async () => {
      await pix.create('order-1')
      pix.bank.disturb('findCharge', 'away-for-a-minute', 'unavailable', 'away-for-a-minute')
      await after(5 * SECOND_MS)
      expect(await backlog()).toEqual([{ ...NOTHING, openPix: 1 }])
      await after(55 * SECOND_MS)
      const unansweredReadSinceMs = pix.time.nowMs
      const silent = { ...NOTHING, unansweredReadSinceMs, openPix: 1 }
      expect(await backlog()).toEqual([silent])
      await after(2 * MINUTE_MS)
      expect(await backlog()).toEqual([silent])
      await after(MINUTE_MS)
      expect(await backlog()).toEqual([{ ...NOTHING, openPix: 1 }])
      pix.bank.calls.length = 0
      await after(HOUR_MS)
      expect(pix.bank.calls).toEqual(['listPayments'])
    })

    it('is over minutes after the bank is back, though the next read was a day away', async () => {
      await pix.create('order-1')
      await after(5 * SECOND_MS)
      await after(10 * SECOND_MS)
      pix.bank.disturb('findCharge', 'unavailable')
      await after(45 * SECOND_MS)
      expect(await backlog()).toMatchObject([{ unansweredReadSinceMs: pix.time.nowMs }])
      await after(4 * MINUTE_MS)
      expect(await backlog()).toEqual([{ ...NOTHING, openPix: 1 }])
    })

    it('is requested again though no charge is open any more', async () => {
      await pix.create('order-1')
      pix.bank.disturb('listPayments', 'unavailable')
      await after(5 * SECOND_MS)
      const unansweredSweepSinceMs = pix.time.nowMs
      pix.bank.pay()
      await after(10 * SECOND_MS)
      expect(await backlog()).toEqual([{ ...NOTHING, unansweredSweepSinceMs }])
      await after(MINUTE_MS)
      expect(await backlog()).toEqual([NOTHING])
      pix.bank.disturb('findCharge', 'unavailable')
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await after(0)
      expect(await backlog()).toEqual([{ ...NOTHING, unansweredReadSinceMs: pix.time.nowMs }])
      await after(HOUR_MS)
      expect(await backlog()).toEqual([NOTHING])
      pix.bank.calls.length = 0
      await after(HOUR_MS)
      expect(pix.bank.calls).toEqual([])
    })

    it('counts since the oldest refund that the bank has neither made nor refused', async () => {
      for (const reference of ['order-1', 'order-2']) {
        await pix.create(reference)
        pix.bank.pay()
        await after(5 * SECOND_MS)
        const { code } = (await pix.find(reference))!
        const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
        expect((await pix.test.send('POST', '/refunds', { body })).status).toBe(201)
      }
      pix.bank.disturb('findRefund', 'refused', 'refused')
      await processRefunds(pix.parts)
      const refundSinceMs = NOW_MS + 5 * SECOND_MS
      expect(await backlog()).toEqual([{ ...NOTHING, refundSinceMs }])
      pix.time.nowMs += HOUR_MS
      await processRefunds(pix.parts)
      expect(await backlog()).toEqual([NOTHING])
    })

    it('counts since a charge that no payer has seen is to be removed, until it is', async () => {
      pix.bank.disturb('openCharge', 'cut-before')
      await pix.create('order-1')
      pix.bank.disturb('removeCharge', 'refused')
      pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS
      await askAfterOpenCharges(pix.parts)
      const removalSinceMs = pix.time.nowMs
      expect(await backlog()).toEqual([{ ...NOTHING, removalSinceMs }])
      pix.time.nowMs += HOUR_MS
      await askAfterOpenCharges(pix.parts)
      expect(await backlog()).toEqual([NOTHING])
    })

    it('counts surpluses until they are back', async () => {
      await pix.create('order-1')
      pix.bank.pay(700)
      pix.bank.pay(800)
      await after(5 * SECOND_MS)
      pix.bank.disturb('refund', 'cut-before')
      await refundSurpluses(pix.parts)
      const surplusSinceMs = pix.time.nowMs
      expect(await backlog()).toMatchObject([{ surplusWaiting: 1, surplusSinceMs }])
      pix.time.nowMs += HOUR_MS
      await refundSurpluses(pix.parts)
      expect(await backlog()).toMatchObject([{ surplusWaiting: 0, surplusSinceMs: undefined }])
    })

    it('counts surpluses that the bank does not send back, for good', async () => {
      await pix.create('order-1')
      pix.bank.pay(700)
      await after(5 * SECOND_MS)
      pix.bank.disturb('refund', 'refused')
      await refundSurpluses(pix.parts)
      await after(HOUR_MS)
      await refundSurpluses(pix.parts)
      expect(await backlog()).toMatchObject([{ surplusWaiting: 0, surplusRejected: 1 }])
    })
  })
}

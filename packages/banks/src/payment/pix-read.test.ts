import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, railRequest } from '../../../gateway/src/gateway.fixture.js'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import { recordStatus } from '../../../gateway/src/payment/status-report-service.js'
import { type PixGateway, accountOf, openPixGateway } from './pix-bank.fixture.js'
import { sweepAccounts } from './bank-sweep-service.js'
import { readCharges } from './charge-read-service.js'
import { refundSurpluses } from './bank-refund-service.js'
import { expireUnpaid } from '../../../gateway/src/payment/expiry-service.js'
import { searchOf } from '../../../search/src/search.fixture.js'
import { notificationsOf } from '../../../gateway/src/ledger/transaction/notifications.fixture.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'

const END_MS = DAY_MS + 5 * MINUTE_MS

for (const engine of TEST_ENGINES) {
  describe(`a payment of a PIX, on ${engine.name}`, () => {
    let pix: PixGateway
    let code: TransactionCode
    beforeEach(async () => {
      pix = await openPixGateway(engine)
      await pix.create('order-1')
      code = (await pix.find('order-1'))!.code
      pix.bank.calls.length = 0
    })
    afterEach(() => pix.close())

    const status = async (): Promise<string | undefined> => (await pix.find('order-1'))?.status
    const payments = async () => (await pix.details(code))!.payments
    /** Time passes, and one worker reads the charges. */
    const after = async (ms: number): Promise<void> => {
      pix.time.nowMs += ms
      await readCharges(pix.parts)
    }
    const notice = (txid: string = pix.bank.txid, account = 'bank-1') =>
      pix.gateway.noticeOf(account, [txid])
    const sweep = async (ms = 30 * SECOND_MS): Promise<void> => {
      pix.time.nowMs += ms
      await sweepAccounts(pix.parts)
    }
    const changes = async () => {
      const { parts } = pix
      const notifications = await notificationsOf(parts.database, code)
      return notifications.map((notification) => notification.status)
    }

    it('turns the order paid within one notice, with the time of the bank', async () => {
      pix.time.nowMs += HOUR_MS
      const paidAtMs = pix.time.nowMs - MINUTE_MS
      const endToEndId = pix.bank.pay(10_000, pix.bank.txid, paidAtMs)
      await notice()
      await after(0)
      expect(await pix.find('order-1')).toMatchObject({
        status: 'COMPLETE',
        paidAtMs,
        statusChangedAtMs: pix.time.nowMs,
      })
      expect(await payments()).toMatchObject([
        { endToEndId, amountMinor: 10_000, paidAtMs, purpose: 'order', refundStatus: undefined },
      ])
      expect(await changes()).toEqual(['COMPLETE'])
      expect(await pix.details(code)).toMatchObject({ state: 'closed' })
    })

    it('turns the order paid without any notice, by the sweep', async () => {
      pix.time.nowMs += HOUR_MS
      await readCharges(pix.parts)
      pix.bank.pay()
      await sweep()
      expect(await status()).toBe('COMPLETE')
      expect(await changes()).toEqual(['COMPLETE'])
      // No charge is live any more: the bank is not asked.
      pix.bank.calls.length = 0
      await sweep()
      await after(HOUR_MS)
      await sweep()
      expect(pix.bank.calls).toEqual([])
    })

    it('is read after 5, 15 and 60 seconds and at the end, and no more', async () => {
      const looks: number[] = []
      for (let second = 1; second <= 120; second++) {
        await after(SECOND_MS)
        if (pix.bank.calls.splice(0).includes('findCharge')) looks.push(second)
      }
      expect(looks).toEqual([5, 15, 60])
      await after(END_MS - 121 * SECOND_MS)
      expect(pix.bank.calls).toEqual([])
      await after(SECOND_MS)
      expect(pix.bank.calls).toEqual(['findCharge'])
    })

    it('is not polled constantly at a bank whose charges live for ten days', async () => {
      pix.bank.settings.answers = { expiresAtMs: pix.time.nowMs + 10 * DAY_MS }
      await pix.create('order-2')
      await after(2 * MINUTE_MS)
      pix.bank.calls.length = 0
      for (let second = 0; second < 60; second++) await after(SECOND_MS)
      expect(pix.bank.calls).toEqual([])
    })

    it('is requested once in ten seconds however many notices there are', async () => {
      pix.time.nowMs += HOUR_MS
      for (let second = 0; second < 30; second++) {
        await Promise.all([notice(), notice(), notice()])
        await after(SECOND_MS)
      }
      expect(pix.bank.calls).toEqual(['findCharge', 'findCharge', 'findCharge'])
      expect(await status()).toBe('PENDING')
    })

    it.each([
      ['an unknown charge', 'x'.repeat(32), 'bank-1'],
      ['no txid at all', "' or 1=1 --\0", 'bank-1'],
      ['an empty name', '', 'bank-1'],
      ['an account that is not here', undefined, 'bank-9'],
    ])('is not asked for by a notice of %s', async (_, txid, account) => {
      pix.time.nowMs += HOUR_MS
      await readCharges(pix.parts)
      pix.bank.calls.length = 0
      await notice(txid, account)
      await after(0)
      expect(pix.bank.calls).toEqual([])
    })

    it('is not found by the notice of another account, even one of the same store', async () => {
      await pix.parts.accounts.create(accountOf('bank-2'), ['pix'], 'operator:ana')
      await after(HOUR_MS)
      pix.bank.calls.length = 0
      await notice(pix.bank.txid, 'bank-2')
      await after(SECOND_MS)
      expect(pix.bank.calls).toEqual([])
    })

    it('takes notices of a thousand charges, known ones among them', async () => {
      await after(HOUR_MS)
      pix.bank.pay()
      const strangers = Array.from(
        { length: 999 },
        (_, i) => `stranger${String(i).padStart(24, '0')}`,
      )
      await pix.gateway.noticeOf('bank-1', [...strangers, pix.bank.txid])
      await after(SECOND_MS)
      await after(10 * SECOND_MS)
      expect(await status()).toBe('COMPLETE')
    })

    it('that is announced before the answer to its request is found at once', async () => {
      const { bank } = pix
      const real = { ...bank.bank }
      bank.bank.openCharge = async (order) => {
        const answer = await real.openCharge(order)
        bank.pay(10_000, order.txid)
        await pix.gateway.noticeOf('bank-1', [order.txid])
        await readCharges(pix.parts)
        await sweep()
        return answer
      }
      expect((await pix.create('order-2')).status).toBe(201)
      await readCharges(pix.parts)
      expect(await pix.find('order-2')).toMatchObject({ status: 'COMPLETE' })
    })

    it('is recorded once by two workers, reads, sweeps and notices at once', async () => {
      pix.time.nowMs += HOUR_MS
      pix.bank.pay()
      await Promise.all([notice(), notice()])
      await Promise.all([
        readCharges(pix.parts),
        readCharges(pix.parts),
        sweepAccounts(pix.parts),
        sweepAccounts(pix.parts),
      ])
      await sweep()
      expect(await payments()).toHaveLength(1)
      expect(await changes()).toEqual(['COMPLETE'])
      expect(pix.bank.calls.filter((call) => call === 'findCharge')).toHaveLength(1)
    })

    it('is found among pages of strangers', async () => {
      for (let i = 0; i < 5; i++)
        pix.bank.foreign.push({
          endToEndId: `E9999${i}`,
          txid: i % 2 === 0 ? undefined : `foreign${i}`.padEnd(30, 'x'),
          amountMinor: minorUnits(10_000),
          paidAtMs: pix.time.nowMs,
          refunds: [],
        })
      await after(20 * MINUTE_MS)
      await sweep()
      pix.bank.pay()
      await sweep()
      expect(await status()).toBe('COMPLETE')
      expect(await payments()).toHaveLength(1)
    })

    it('is found after an outage of days, by the first sweep that succeeds', async () => {
      await sweep()
      pix.bank.pay()
      pix.bank.disturb('listPayments', 'unavailable', 'cut-after', 'refused', 'rejected')
      for (let outage = 0; outage < 4; outage++) await sweep(5 * HOUR_MS)
      expect(await status()).toBe('PENDING')
      await sweep()
      expect(await status()).toBe('COMPLETE')
    })

    it('is read on at the same page when a page of the list is lost', async () => {
      for (let i = 0; i < 4; i++) {
        await pix.create(`order-more-${i}`)
        pix.bank.pay()
      }
      pix.bank.pay(10_000, [...pix.bank.charges.keys()][0])
      const real = { ...pix.bank.bank }
      let calls = 0
      pix.bank.bank.listPayments = (...given) =>
        ++calls === 2
          ? Promise.resolve({
              kind: 'not-sent',
              cause: 'limited',
              detail: 'away',
              retryAfterMs: 90_000,
            })
          : real.listPayments(...given)
      await sweep()
      await sweep()
      expect(calls).toBe(2)
      await sweep(MINUTE_MS)
      expect(calls).toBe(4)
      for (let i = 0; i < 4; i++)
        expect(await pix.find(`order-more-${i}`)).toMatchObject({ status: 'COMPLETE' })
      expect(await status()).toBe('COMPLETE')
    })

    /**
     * Lists strangers' payments, one on a page; the bank returns some pages, then stops until asked
     * again.
     */
    const listSlowly = (strangers: number, pages: number): { left: number } => {
      pix.bank.settings.pageSize = 1
      for (let i = 0; i < strangers; i++)
        pix.bank.foreign.push({
          endToEndId: `E${i}`,
          amountMinor: minorUnits(1),
          paidAtMs: pix.time.nowMs,
          refunds: [],
        })
      const real = { ...pix.bank.bank }
      const budget = { left: pages }
      pix.bank.bank.listPayments = (...given) =>
        --budget.left < 0
          ? Promise.resolve({
              kind: 'not-sent',
              cause: 'limited',
              detail: 'budget',
              retryAfterMs: 30_000,
            })
          : real.listPayments(...given)
      return budget
    }

    it('is found on the last of a hundred pages, though the bank lists forty at once', async () => {
      const budget = listSlowly(100, 40)
      pix.bank.pay()
      for (let round = 0; round < 4; round++) {
        await sweep()
        budget.left = 40
      }
      expect(await status()).toBe('COMPLETE')
    })

    it('is found at once while the long list of the last days is read', async () => {
      const budget = listSlowly(50, 100)
      for (const ms of [20 * MINUTE_MS, DAY_MS - HOUR_MS, HOUR_MS, 30 * SECOND_MS]) {
        await sweep(ms)
        budget.left = 20
      }
      pix.bank.pay()
      await sweep()
      expect(await status()).toBe('COMPLETE')
    })

    it('is listed again after weeks in few calls, for which no other has to wait', async () => {
      const real = { ...pix.bank.bank }
      const listed: (boolean | undefined)[] = []
      pix.bank.bank.listPayments = (period, page) => {
        listed.push(period.isOld)
        return real.listPayments(period, page)
      }
      pix.bank.pay()
      await after(5 * SECOND_MS)
      for (const [days, old] of [
        [6, []],
        [34, [true, true]],
        [60, [true, true, true]],
      ] as const) {
        await sweep(days * DAY_MS)
        expect(listed.splice(0).toSorted()).toEqual([false, ...old])
      }
    })

    it('of long ago that its bank does not list is requested once an hour, and is no silence', async () => {
      pix.bank.pay()
      await after(5 * SECOND_MS)
      await sweep(8 * DAY_MS)
      const real = { ...pix.bank.bank }
      let isAsked = 0
      pix.bank.bank.listPayments = (period, page) => {
        if (period.isOld !== true) return real.listPayments(period, page)
        isAsked += 1
        return Promise.resolve({ kind: 'refused', detail: 'too old' })
      }
      await sweep(DAY_MS)
      expect(await pix.gateway.bankBacklog()).toMatchObject([{ unansweredSweepSinceMs: undefined }])
      for (let minute = 0; minute < 120; minute++) await sweep(MINUTE_MS)
      expect(isAsked).toBe(3)
    })

    it('that cannot be recorded does not block the others on its list', async () => {
      await pix.create('order-2')
      for (const txid of pix.bank.charges.keys()) pix.bank.pay(10_000, txid)
      const { record } = pix.parts.bankCharges
      pix.parts.bankCharges.record = (reading) =>
        reading.transactionCode === code ? Promise.reject(new Error('no')) : record(reading)
      await sweep()
      expect(await pix.find('order-2')).toMatchObject({ status: 'COMPLETE' })
      expect(pix.logged.join()).toContain('a payment could not be recorded')
    })

    it('is not logged when its read is postponed because of a limit', async () => {
      pix.bank.disturb('findCharge', 'away-for-a-minute')
      pix.bank.disturb('listPayments', 'away-for-a-minute')
      await after(5 * SECOND_MS)
      await sweep(0)
      expect(pix.bank.calls).toEqual(['findCharge', 'listPayments'])
      expect(pix.logged.join()).not.toContain('a bank did not')
    })

    it('that was missed is found within a day, though nothing is live', async () => {
      pix.bank.pay()
      await notice()
      await after(MINUTE_MS)
      expect(await status()).toBe('COMPLETE')
      pix.bank.pay()
      await sweep(DAY_MS)
      expect(await payments()).toMatchObject([
        { purpose: 'order' },
        { purpose: 'second-payment', refundStatus: 'PROCESSING' },
      ])
      pix.bank.calls.length = 0
      await sweep(HOUR_MS)
      expect(pix.bank.calls).toEqual([])
      await sweep(DAY_MS)
      expect(pix.bank.calls).toContain('listPayments')
    })

    it("ends EXPIRED only after a read five minutes past the bank's expiry", async () => {
      await after(END_MS - SECOND_MS)
      await expireUnpaid(pix.parts)
      expect(await status()).toBe('PENDING')
      pix.bank.disturb('findCharge', 'unavailable', 'cut-before', 'rejected')
      for (let failure = 0; failure < 3; failure++) await after(HOUR_MS)
      expect(await status()).toBe('PENDING')
      await after(HOUR_MS)
      expect(await status()).toBe('EXPIRED')
      expect(await changes()).toEqual(['EXPIRED'])
      pix.bank.calls.length = 0
      await after(DAY_MS)
      expect(pix.bank.calls).toEqual([])
    })

    it("at the last moment is the order's, though it is read after the end", async () => {
      await after(DAY_MS - SECOND_MS)
      pix.bank.pay()
      await after(DAY_MS)
      expect(await status()).toBe('COMPLETE')
    })

    it('is not abandoned because the bank denies its charge: the list decides', async () => {
      await after(END_MS - MINUTE_MS)
      pix.bank.pay()
      pix.bank.bank.findCharge = () => Promise.resolve({ kind: 'absent' })
      await after(MINUTE_MS)
      expect(await status()).toBe('PENDING')
      await sweep()
      expect(await status()).toBe('COMPLETE')
    })

    it('of a charge that its bank has forgotten ends EXPIRED, once the list is read', async () => {
      pix.bank.charges.clear()
      await after(END_MS)
      await sweep()
      expect(await status()).toBe('PENDING')
      await after(HOUR_MS)
      expect(await status()).toBe('EXPIRED')
    })

    it('that the bank knows of and does not show yet keeps the order waiting', async () => {
      pix.bank.charges.get(pix.bank.txid)!.state = 'paid'
      await after(END_MS)
      expect(await status()).toBe('PENDING')
    })

    it.each([
      ['of another amount', () => pix.bank.pay(9_999), 'PENDING', 'other-amount'],
      ['of more', () => pix.bank.pay(10_001), 'PENDING', 'other-amount'],
      ['twice', () => (pix.bank.pay(), pix.bank.pay()), 'COMPLETE', 'second-payment'],
    ] as const)('%s stays visible as surplus and goes back once', async (_, pay, ends, purpose) => {
      pix.time.nowMs += MINUTE_MS
      pay()
      await notice()
      await after(10 * SECOND_MS)
      expect(await status()).toBe(ends)
      const surplus = async () => (await payments()).find((each) => each.purpose === purpose)
      expect(await surplus()).toMatchObject({ refundStatus: 'PROCESSING' })
      await Promise.all([refundSurpluses(pix.parts), refundSurpluses(pix.parts)])
      pix.time.nowMs += HOUR_MS
      await refundSurpluses(pix.parts)
      const { amountMinor } = (await surplus())!
      expect(await surplus()).toMatchObject({ refundStatus: 'PROCESSED', bankRefunds: [] })
      expect(pix.bank.refundedMinor()).toBe(amountMinor)
    })

    it('that is a surplus stays with a store that keeps it, and is visible', async () => {
      await pix.parts.merchants.save({ ...MERCHANT, surplus: 'keep' }, 'start')
      pix.bank.pay(700)
      await after(5 * SECOND_MS)
      await refundSurpluses(pix.parts)
      const details = await withOperator(pix).gateway.backOffice.findTransaction(
        MERCHANT.id,
        String(code),
      )
      expect(details?.bankCharge).toMatchObject({
        accountId: 'bank-1',
        accountLabel: 'Bank of the tests',
        payments: [{ amountMinor: 700, purpose: 'other-amount', refundStatus: 'KEPT' }],
      })
      const { items } = await searchOf(pix).payments.find(MERCHANT.id, {})
      expect(items).toMatchObject([{ transaction: { code }, hasSurplus: true }])
      expect(pix.bank.refundedMinor()).toBe(0)
      const changes = await pix.parts.merchants.listChanges({ id: MERCHANT.id, limit: 1 })
      expect(changes).toMatchObject([{ settings: { surplus: { to: 'keep' } } }])
      await pix.parts.merchants.save({ ...MERCHANT, surplus: undefined }, 'start')
      expect(await pix.parts.merchants.find(MERCHANT.id)).toMatchObject({ surplus: undefined })
    })

    it("of the right amount after one of another is the order's", async () => {
      pix.bank.pay(5_000)
      pix.bank.pay(10_000)
      await after(5 * SECOND_MS)
      expect(await status()).toBe('COMPLETE')
      expect(await payments()).toMatchObject([{ purpose: 'other-amount' }, { purpose: 'order' }])
    })

    it('after the end leaves the order as it ended', async () => {
      await after(END_MS)
      expect(await status()).toBe('EXPIRED')
      pix.bank.pay()
      await notice()
      await after(10 * SECOND_MS)
      expect(await status()).toBe('EXPIRED')
      expect(await payments()).toMatchObject([{ purpose: 'after-the-end' }])
      expect(await changes()).toEqual(['EXPIRED'])
    })

    it('of a cancelled order is no longer accepted: its charge is removed', async () => {
      await after(MINUTE_MS)
      await recordStatus(pix.parts, code, 'CANCELLED')
      await after(10 * SECOND_MS)
      expect(pix.bank.charges.get(pix.bank.txid)).toMatchObject({ state: 'removed' })
      expect(await pix.details(code)).toMatchObject({ state: 'closed' })
    })

    it('of a cancelled order that was faster than its removal is a surplus', async () => {
      await after(MINUTE_MS)
      await recordStatus(pix.parts, code, 'CANCELLED')
      pix.bank.pay()
      await after(10 * SECOND_MS)
      expect(await status()).toBe('CANCELLED')
      expect(await payments()).toMatchObject([{ purpose: 'after-the-end' }])
    })

    it("is the order's when people had set it COMPLETE before", async () => {
      await recordStatus(pix.parts, code, 'COMPLETE')
      pix.bank.pay()
      await after(10 * SECOND_MS)
      expect(await payments()).toMatchObject([{ purpose: 'order' }])
    })

    it('is impossible after the bank removed the charge: the order is CANCELLED', async () => {
      pix.bank.charges.get(pix.bank.txid)!.state = 'removed'
      await after(5 * SECOND_MS)
      expect(await status()).toBe('CANCELLED')
    })

    it('shows a refund that was made at the bank', async () => {
      const endToEndId = pix.bank.pay()
      await after(5 * SECOND_MS)
      const refund = { id: 'D1', amountMinor: minorUnits(500), state: 'returned' } as const
      pix.bank.charges.get(pix.bank.txid)!.payments[0]!.refunds.push(refund)
      await notice()
      await after(10 * SECOND_MS)
      expect(await payments()).toMatchObject([{ endToEndId, bankRefunds: [refund] }])
    })

    it('is read again when a worker ended during the read', async () => {
      pix.bank.pay()
      const { record } = pix.parts.bankCharges
      pix.parts.bankCharges.record = () => Promise.reject(new Error('killed'))
      await expect(after(5 * SECOND_MS)).rejects.toThrow('killed')
      pix.parts.bankCharges.record = record
      await after(2 * MINUTE_MS)
      expect(await status()).toBe('COMPLETE')
    })

    it('of one store is found though the credentials of another are gone', async () => {
      const other = { ...MERCHANT, id: 'store-2' }
      await pix.parts.merchants.save(other, 'start')
      await pix.parts.accounts.create(accountOf('bank-2', other.id), ['pix'], 'operator:ana')
      const body = railRequest('order-2', 'pix')
      const created = await pix.test.send('POST', '/transactions', { body, merchant: other })
      expect(created.status).toBe(201)
      await pix.database.transact((trx) =>
        trx
          .updateTable('accounts')
          .set({ sealed: 'wrapped-v1.gone.AAAA.AAAA' })
          .where('id', '=', 'bank-2')
          .execute(),
      )
      const [txid] = pix.bank.charges.keys()
      pix.bank.pay(10_000, txid)
      await after(5 * SECOND_MS)
      expect(await status()).toBe('COMPLETE')
      await expect(sweep()).rejects.toThrow('bank-2')
    })
  })
}

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS } from '../../../gateway/src/gateway.fixture.js'
import { createPayerData } from '../../../gateway/src/create-payer-data.js'
import type { BoletoPayment } from '@cofre/provider-kit/bank'
import type { BoletoDetails } from '../../../gateway/src/model/transaction/payment-details.js'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import { refundSurpluses } from './bank-refund-service.js'
import { sweepAccounts } from './bank-sweep-service.js'
import {
  type BoletoGateway,
  boletoRequest,
  codesOf,
  openBoletoGateway,
} from './boleto-bank.fixture.js'
import { cancelWaiting } from '../../../gateway/src/payment/cancellation-service.js'
import { readCharges } from './charge-read-service.js'
import { expireUnpaid } from '../../../gateway/src/payment/expiry-service.js'
import { processRefunds } from '../../../gateway/src/payment/refund-service.js'
import { FOLLOWED, searchOf } from '../../../search/src/search.fixture.js'
import { notificationsOf } from '../../../gateway/src/ledger/transaction/notifications.fixture.js'

/** The due date of NOW_MS is 2026-11-24: payable until 2026-12-02, decided two business days on. */
const LAST_PAYABLE_MS = Date.parse('2026-12-02T12:00:00-03:00')
const END_MS = Date.parse('2026-12-05T00:00:00-03:00')

for (const engine of TEST_ENGINES) {
  describe(`a boleto that waits for its payer, on ${engine.name}`, () => {
    let boleto: BoletoGateway
    let code: TransactionCode
    const open = async (): Promise<void> => {
      boleto = await openBoletoGateway(engine)
    }
    beforeEach(async () => {
      await open()
      await boleto.create('order-1')
      code = (await boleto.find('order-1'))!.code
      boleto.bank.calls.length = 0
    })
    afterEach(() => boleto.close())

    const at = async (timeMs: number): Promise<void> => {
      boleto.time.nowMs = timeMs
      await readCharges(boleto.parts)
    }
    const after = (ms: number) => at(boleto.time.nowMs + ms)
    const notice = (name: string = boleto.bank.name, account = 'bank-1') =>
      boleto.gateway.noticeOf(account, [name])
    const status = async () => (await boleto.find('order-1'))?.status
    const payments = async () => (await boleto.details(code))!.payments
    const notified = async () =>
      (await notificationsOf(boleto.parts.database, code)).map(({ status }) => status)
    const refund = (amount?: number) =>
      boleto.send('POST', '/refunds', {
        body: {
          'transaction-id': String(code),
          'notify-url': 'https://shop.example/refunds',
          ...(amount !== undefined && { amount }),
        },
        headers: { 'accept-language': 'en-US' },
      })

    it.each(['line', 'pix', 'elsewhere'] as const)(
      'is COMPLETE once it is paid: %s',
      async (way) => {
        const paidAtMs = boleto.time.nowMs + SECOND_MS
        boleto.bank.pay(way, { paidAtMs })
        await notice()
        await after(MINUTE_MS)
        expect(await boleto.find('order-1')).toMatchObject({
          status: 'COMPLETE',
          paidAtMs,
          paymentDetails: { kind: 'boleto', paidBy: way },
        })
        expect(await payments()).toMatchObject([{ purpose: 'order', way, refundStatus: undefined }])
        expect(await notified()).toEqual(['COMPLETE'])
      },
    )

    it('records one payment for ten simultaneous notices and reads', async () => {
      boleto.bank.pay('pix')
      await Promise.all(Array.from({ length: 10 }, () => notice()))
      boleto.time.nowMs += MINUTE_MS
      await Promise.all(Array.from({ length: 10 }, () => readCharges(boleto.parts)))
      for (let i = 0; i < 3; i++) {
        await notice()
        await after(MINUTE_MS)
      }
      expect(await payments()).toHaveLength(1)
      expect(await notified()).toEqual(['COMPLETE'])
    })

    it('is not read for a notice that names it with a NUL', async () => {
      await after(6 * SECOND_MS)
      boleto.bank.calls.length = 0
      await notice(`${boleto.bank.name}\0`)
      await after(20 * SECOND_MS)
      expect(boleto.bank.calls).toEqual([])
    })

    // The rest are rules of the service; other suites run its statements on PostgreSQL.
    if (engine.name === 'postgres') return

    it('is found by its number at the bank, with and without zeros, by its own store alone', async () => {
      const { bankId } = boleto.bank.boletos[0]!
      const found = async (text: string, merchantId = MERCHANT.id) =>
        (await searchOf(boleto).payments.find(merchantId, { text })).items.map(
          ({ transaction }) => transaction.code,
        )
      for (const text of [bankId.slice(-11), '01']) expect(await found(text)).toEqual([code])
      expect(await found('02')).toEqual([])
      expect(await found('01', 'store-2')).toEqual([])
    })

    it('is read soon after its opening, then twice a day until it is decided', async () => {
      const readAtMs: number[] = []
      const real = { ...boleto.bank.bank }
      boleto.bank.bank.find = async (...of) => {
        readAtMs.push(boleto.time.nowMs)
        return await real.find(...of)
      }
      for (
        let ms = NOW_MS;
        ms < END_MS + HOUR_MS;
        ms += ms < NOW_MS + 2 * MINUTE_MS ? 5_000 : HOUR_MS
      )
        await at(ms)
      const [first, second, ...others] = readAtMs
      expect(first).toBe(NOW_MS + 5 * SECOND_MS)
      expect(second! - first!).toBeLessThanOrEqual(13 * HOUR_MS)
      const [decided, ...earlier] = others.toReversed()
      const pauses = earlier.toReversed().map((ms, i) => ms - (i === 0 ? second! : others[i - 1]!))
      expect(Math.min(...pauses)).toBeGreaterThan(11 * HOUR_MS)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(13 * HOUR_MS)
      expect(decided).toBeGreaterThanOrEqual(END_MS)
      expect(await status()).toBe('NOT-PAID')
    })

    it('is NOT-PAID no sooner than a bank knows of the last day', async () => {
      boleto.bank.decide('expired')
      await at(END_MS - 1)
      await expireUnpaid(boleto.parts)
      expect(await status()).toBe('PENDING')
      boleto.bank.disturb('find', 'unavailable', 'cut-before')
      await at(END_MS)
      await after(HOUR_MS)
      expect(await status()).toBe('PENDING')
      await after(HOUR_MS)
      expect(await status()).toBe('NOT-PAID')
      expect(await notified()).toEqual(['NOT-PAID'])
      expect(await boleto.details(code)).toMatchObject({ state: 'closed' })
    })

    it('is paid when the bank reports a payment of its last day at the end', async () => {
      boleto.bank.pay('line', { paidAtMs: LAST_PAYABLE_MS })
      await at(END_MS)
      expect(await status()).toBe('COMPLETE')
    })

    it.each(['not-known', 'paid'] as const)('waits on while its bank says %s', async (state) => {
      boleto.bank.decide(state)
      await at(END_MS)
      expect(await status()).toBe('PENDING')
      boleto.bank.pay('line')
      await after(HOUR_MS)
      expect(await status()).toBe('COMPLETE')
    })

    it('ends when its bank does not know it, but not before its end', async () => {
      boleto.bank.boletos.length = 0
      await at(END_MS - 1)
      expect(await status()).toBe('PENDING')
      await after(13 * HOUR_MS)
      expect(await status()).toBe('NOT-PAID')
    })

    it.each(['removed', 'failed'] as const)('is CANCELLED when its bank says %s', async (state) => {
      boleto.bank.decide(state, 'endereço inválido')
      await notice()
      await after(MINUTE_MS)
      expect(await status()).toBe('CANCELLED')
      expect(await notified()).toEqual(['CANCELLED'])
    })

    it.each<[BoletoPayment['way'], string, number]>([
      ['line', 'KEPT', 0],
      ['elsewhere', 'KEPT', 0],
      ['pix', 'PROCESSED', 10_000],
    ])(
      'that is paid by %s a second time: its money is %s',
      async (way, refundStatus, sentMinor) => {
        boleto.bank.pay('line')
        await notice()
        await after(MINUTE_MS)
        boleto.bank.pay(way, { paidAtMs: boleto.time.nowMs + 1 })
        await notice()
        await after(MINUTE_MS)
        await refundSurpluses(boleto.parts)
        expect(await payments()).toMatchObject([
          { purpose: 'order' },
          { purpose: 'second-payment', way, refundStatus },
        ])
        expect(boleto.bank.refundedMinor()).toBe(sentMinor)
        expect(await notified()).toEqual(['COMPLETE'])
      },
    )

    it.each<[string, 'PENDING' | 'COMPLETE', Partial<BoletoPayment>, number]>([
      ['less', 'PENDING', {}, 9_999],
      ['more', 'PENDING', {}, 10_001],
      ['a fine with it', 'COMPLETE', { settlesMinor: minorUnits(10_000) }, 10_200],
      [
        'a part by the bank’s own reckoning',
        'PENDING',
        { settlesMinor: minorUnits(9_000) },
        10_000,
      ],
      ['what the merchant has counted elsewhere', 'COMPLETE', { way: 'elsewhere' }, 1],
    ])('that was paid %s is %s', async (_, expected, over, amount) => {
      boleto.bank.pay('line', { amount })
      Object.assign(boleto.bank.boletos[0]!.payments[0]!, over)
      await notice()
      await after(MINUTE_MS)
      expect(await status()).toBe(expected)
      const purpose = expected === 'COMPLETE' ? 'order' : 'other-amount'
      expect(await payments()).toMatchObject([{ purpose, amountMinor: amount }])
    })

    it('is money after the end when it is paid later: the status stays', async () => {
      await at(END_MS)
      expect(await status()).toBe('NOT-PAID')
      boleto.bank.pay('line')
      await notice()
      await after(MINUTE_MS)
      expect(await status()).toBe('NOT-PAID')
      expect(await payments()).toMatchObject([{ purpose: 'after-the-end', refundStatus: 'KEPT' }])
    })

    it.each([
      ['another account', () => notice(boleto.bank.name, 'bank-2')],
      ['nobody', () => notice('ZZZZZZZZZZZZZZZ')],
      ['a name with a NUL', () => notice('ZZZZZZZ\0ZZZZZZZ')],
      ['a name as long as a book', () => notice('Z'.repeat(10_000))],
    ])('is not read for a notice that names %s', async (_, send) => {
      await after(6 * SECOND_MS)
      boleto.bank.calls.length = 0
      await send()
      await after(20 * SECOND_MS)
      expect(boleto.bank.calls).toEqual([])
    })

    it('is read when the bank’s history shows a notice that was lost', async () => {
      await after(6 * SECOND_MS)
      boleto.bank.pay('line')
      boleto.bank.settings.notified = [boleto.bank.name, 'FOREIGNNAME2222']
      boleto.time.nowMs = NOW_MS + HOUR_MS
      await sweepAccounts(boleto.parts)
      await sweepAccounts(boleto.parts)
      expect(boleto.bank.calls.filter((call) => call === 'listNotices')).toHaveLength(1)
      await after(SECOND_MS)
      expect(await status()).toBe('COMPLETE')
    })

    it('that ended unpaid is read when the history shows a lost notice of a payment', async () => {
      await at(END_MS)
      expect(await status()).toBe('NOT-PAID')
      boleto.bank.pay('line')
      boleto.bank.settings.notified = [boleto.bank.name]
      boleto.time.nowMs += DAY_MS
      await sweepAccounts(boleto.parts)
      await after(SECOND_MS)
      expect(await payments()).toMatchObject([{ purpose: 'after-the-end', refundStatus: 'KEPT' }])
    })

    it('reads no history where the bank keeps none, and once a day where nothing is live', async () => {
      const periods: (readonly [number, number])[] = []
      const { listNotices } = boleto.bank.bank
      Object.assign(boleto.bank.bank, {
        listNotices: (...period: [number, number]) => {
          periods.push(period)
          return listNotices!(...period)
        },
      })
      boleto.bank.disturb('listNotices', 'unavailable')
      boleto.time.nowMs += HOUR_MS
      await sweepAccounts(boleto.parts)
      // The operator gets no alert: the boletos are read anyway.
      expect(await boleto.test.gateway.bankBacklog()).toMatchObject([
        { openBoletos: 1, openPix: 0, unansweredSweepSinceMs: undefined },
      ])
      boleto.time.nowMs += HOUR_MS
      await sweepAccounts(boleto.parts)
      // A period without an answer is read the next time, with an overlap.
      const overlapMs = 10 * MINUTE_MS
      expect(periods).toEqual([
        [NOW_MS - overlapMs, NOW_MS + HOUR_MS],
        [NOW_MS - overlapMs, NOW_MS + 2 * HOUR_MS],
      ])
      boleto.bank.decide('removed')
      await notice()
      await after(MINUTE_MS)
      boleto.time.nowMs += 23 * HOUR_MS
      await sweepAccounts(boleto.parts)
      expect(periods).toHaveLength(2)
      boleto.time.nowMs += HOUR_MS
      await sweepAccounts(boleto.parts)
      await sweepAccounts(boleto.parts)
      expect(periods).toHaveLength(3)
      Object.assign(boleto.bank.bank, { listNotices: undefined })
      await boleto.create('order-2')
      await sweepAccounts(boleto.parts)
      expect(boleto.logged.join()).not.toContain('not read')
    })

    it('is cancelled at its bank first, by people and links', async () => {
      const found = (await boleto.find('order-1'))!
      boleto.bank.disturb('cancel', 'unavailable')
      expect(await cancelWaiting(boleto.parts, found)).toBe('not-answered')
      expect(boleto.bank.boletos[0]?.state).toBe('open')
      expect(await cancelWaiting(boleto.parts, found)).toBe('cancelled')
      expect(boleto.bank.boletos[0]?.state).toBe('removed')
      expect(await notified()).toEqual(['CANCELLED'])
    })

    it('that the bank cancels later is cancelled once the bank reports it', async () => {
      boleto.bank.settings.cancelsAtOnce = false
      const found = (await boleto.find('order-1'))!
      expect(await cancelWaiting(boleto.parts, found)).toBe('not-answered')
      boleto.bank.decide('removed')
      await after(MINUTE_MS)
      expect(await status()).toBe('CANCELLED')
    })

    it('is paid if the payer was faster than the cancellation', async () => {
      boleto.bank.pay('line')
      expect(await cancelWaiting(boleto.parts, (await boleto.find('order-1'))!)).toBe(
        'paid-meanwhile',
      )
      expect(await status()).toBe('COMPLETE')
    })

    it.each([
      ['line', 'KEPT'],
      ['pix', 'PROCESSING'],
    ] as const)('is cancelled where another amount was paid: %s', async (way, refundStatus) => {
      boleto.bank.pay(way, { amount: 6_000 })
      expect(await cancelWaiting(boleto.parts, (await boleto.find('order-1'))!)).toBe('cancelled')
      expect(await notified()).toEqual(['CANCELLED'])
      expect(await payments()).toMatchObject([{ purpose: 'other-amount', refundStatus }])
    })

    it('is cancelled at its bank when people end its order by hand', async () => {
      await boleto.gateway.desk.changes.changeStatus(code, 'CANCELLED')
      await after(MINUTE_MS)
      expect(boleto.bank.boletos[0]?.state).toBe('removed')
    })

    it('is refunded by PIX if it was paid by PIX', async () => {
      boleto.bank.pay('pix')
      await notice()
      await after(MINUTE_MS)
      expect((await refund(40)).status).toBe(201)
      await processRefunds(boleto.parts)
      expect(boleto.bank.refundedMinor()).toBe(4_000)
      expect(await status()).toBe('REFUNDED')
      expect(boleto.bank.calls.filter((call) => call === 'refund')).toHaveLength(1)
    })

    it.each([
      ['less a discount', 9_000, 2_250],
      ['with a fine', 10_201, 2_550],
    ])('goes back as it was paid, %s, in parts that sum to it', async (_, paid, part) => {
      boleto.bank.pay('pix', { amount: paid })
      Object.assign(boleto.bank.boletos[0]!.payments[0]!, { settlesMinor: minorUnits(10_000) })
      await notice()
      await after(MINUTE_MS)
      expect((await refund(25)).status).toBe(201)
      await processRefunds(boleto.parts)
      expect(boleto.bank.refundedMinor()).toBe(part)
      expect((await refund(75)).status).toBe(201)
      await processRefunds(boleto.parts)
      expect(boleto.bank.refundedMinor()).toBe(paid)
      // Its bank lists them as they were sent.
      await notice()
      await after(MINUTE_MS)
      const search = await boleto.send('GET', `/transactions/${code}`)
      expect(search.text).toContain('"refunded-amount":"100.00"')
    })

    it('counts as refunded whole when people send back at its bank all that was paid', async () => {
      boleto.bank.pay('pix', { amount: 9_000 })
      const [payment] = boleto.bank.boletos[0]!.payments
      Object.assign(payment!, { settlesMinor: minorUnits(10_000) })
      payment!.refunds.push({ id: 'byhand', amountMinor: minorUnits(9_000), state: 'returned' })
      await notice()
      await after(MINUTE_MS)
      expect(await status()).toBe('REFUNDED')
      const search = await boleto.send('GET', `/transactions/${code}`)
      expect(search.text).toContain('"refunded-amount":"100.00"')
    })

    it.each([
      ['line', 'paid by its line'],
      ['elsewhere', 'marked as paid at the bank'],
    ] as const)('cannot be refunded where it was paid otherwise: %s', async (way, words) => {
      boleto.bank.pay(way)
      await notice()
      await after(MINUTE_MS)
      const answer = await refund()
      expect(answer).toMatchObject({ status: 422, codes: [20605] })
      expect(answer.text).toContain(words)
      const search = await boleto.send('GET', `/transactions/${code}`)
      expect(search.text).toContain('"refundable":false')
      expect(boleto.bank.refundedMinor()).toBe(0)
    })

    it('needs no refund before it is paid', async () => {
      expect(await refund()).toMatchObject({ status: 422, codes: [20615] })
    })

    it('is refunded even after its payer was erased, without the payer’s name', async () => {
      boleto.bank.pay('pix')
      await notice()
      await after(MINUTE_MS)
      boleto.time.nowMs += 32 * DAY_MS
      const erased = await createPayerData(boleto.database).erase([code], boleto.time.nowMs)
      expect(erased).toEqual([code])
      expect((await boleto.find('order-1'))?.paymentDetails).toEqual({
        kind: 'boleto',
        accountId: 'bank-1',
        dueDate: '2026-11-24',
        paidBy: 'pix',
        payerName: '',
      })
      expect((await refund()).status).toBe(201)
      await processRefunds(boleto.parts)
      expect(boleto.bank.refundedMinor()).toBe(10_000)
    })
  })

  if (engine.name === 'postgres') continue

  describe('a boleto that is issued late', () => {
    let boleto: BoletoGateway
    let code: TransactionCode
    beforeEach(async () => {
      boleto = await openBoletoGateway(engine, FOLLOWED)
      boleto.bank.settings.takenAs = 'issuing'
      await boleto.create('order-1')
      code = (await boleto.find('order-1'))!.code
      boleto.bank.calls.length = 0
    })
    afterEach(() => boleto.close())

    const after = async (ms: number): Promise<void> => {
      boleto.time.nowMs += ms
      await readCharges(boleto.parts)
    }
    const details = async () => (await boleto.find('order-1'))?.paymentDetails as BoletoDetails

    it('is read at growing pauses until it is, and its codes are shown then', async () => {
      const readAtMs: number[] = []
      const real = { ...boleto.bank.bank }
      const openedAtMs = boleto.time.nowMs
      boleto.bank.bank.find = async (...of) => {
        readAtMs.push(Math.round((boleto.time.nowMs - openedAtMs) / SECOND_MS))
        return await real.find(...of)
      }
      for (let second = 0; second < 40 * 60; second += 5) await after(5 * SECOND_MS)
      expect(readAtMs.slice(0, 3)).toEqual([5, 15, 60])
      const pauses = readAtMs.slice(1).map((ms, i) => ms - readAtMs[i]!)
      expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
      expect((await details()).barcode).toBeUndefined()
      boleto.bank.decide('open')
      await after(HOUR_MS)
      const [{ bankId, order }] = boleto.bank.boletos as [(typeof boleto.bank.boletos)[0]]
      const { barcode, digitableLine, pixCode } = codesOf(order, bankId)
      expect(await details()).toMatchObject({ barcode, digitableLine, pixCode })
      expect(await boleto.details(code)).toMatchObject({ bankId, ourNumber: '1', state: 'live' })
      readAtMs.length = 0
      for (let minute = 0; minute < 12 * 60; minute += 30) await after(30 * MINUTE_MS)
      expect(readAtMs).toHaveLength(1)
      expect(await notificationsOf(boleto.parts.database, code)).toEqual([])
    })

    it('is found in the console by its line once it is', async () => {
      boleto.bank.decide('open')
      await after(5 * SECOND_MS)
      const requests = await boleto.database.reader
        .selectFrom('index_requests')
        .selectAll()
        .execute()
      expect(requests).toContainEqual(expect.objectContaining({ code }))
    })

    it('keeps the codes that it was shown with', async () => {
      boleto.bank.decide('open')
      await after(5 * SECOND_MS)
      const shown = await details()
      Object.assign(boleto.bank.settings.codes, {
        barcode: '0'.repeat(44),
        digitableLine: undefined,
      })
      await after(13 * HOUR_MS)
      expect(await details()).toEqual(shown)
      expect((await boleto.find('order-1'))?.status).toBe('PENDING')
    })

    it('ends CANCELLED when it fails, and the staff sees why', async () => {
      boleto.bank.decide('failed', 'endereço inválido')
      await after(5 * SECOND_MS)
      expect(await boleto.find('order-1')).toMatchObject({ status: 'CANCELLED' })
      expect((await boleto.details(code))?.reason).toContain('endereço inválido')
      const notified = await notificationsOf(boleto.parts.database, code)
      expect(notified.map((notification) => notification.status)).toEqual(['CANCELLED'])
    })

    it.each([
      ['at once', true],
      ['later', false],
    ])('that contradicts its order is never shown, and cancelled %s', async (_, cancelsAtOnce) => {
      boleto.bank.settings.cancelsAtOnce = cancelsAtOnce
      boleto.bank.settings.codes = { barcode: '0'.repeat(44), digitableLine: undefined }
      boleto.bank.decide('open')
      await after(5 * SECOND_MS)
      if (!cancelsAtOnce) {
        expect((await boleto.find('order-1'))?.status).toBe('PENDING')
        boleto.bank.decide('removed')
        await after(HOUR_MS)
      }
      expect((await boleto.find('order-1'))?.status).toBe('CANCELLED')
      expect((await details()).barcode).toBeUndefined()
      expect((await boleto.details(code))?.reason).toMatch(/currency|due date/)
      const notified = await notificationsOf(boleto.parts.database, code)
      expect(notified.map((notification) => notification.status)).toEqual(['CANCELLED'])
    })

    it('is paid when it was issued and paid between two reads', async () => {
      boleto.bank.pay('pix')
      await after(5 * SECOND_MS)
      expect(await boleto.find('order-1')).toMatchObject({ status: 'COMPLETE' })
      expect((await details()).paidBy).toBe('pix')
    })

    it('is cancelled at its bank while it is being issued', async () => {
      const cancelled = await cancelWaiting(boleto.parts, (await boleto.find('order-1'))!)
      expect(cancelled).toBe('cancelled')
      expect(boleto.bank.boletos[0]?.state).toBe('removed')
    })

    it('is read by our name until its bank has reported its own', async () => {
      await boleto.send('POST', '/transactions', { body: boletoRequest('order-2') })
      const asked: (string | undefined)[] = []
      const real = { ...boleto.bank.bank }
      boleto.bank.bank.find = (reference, urgency) => {
        asked.push(reference.bankId)
        return real.find(reference, urgency)
      }
      await after(MINUTE_MS)
      // Both are due at the same moment, so their order is undefined.
      const named = boleto.bank.boletos.map(({ bankId }) => bankId)
      expect(asked.toSorted()).toEqual(named.toSorted())
    })
  })
}

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { railRequest } from '../../../gateway/src/gateway.fixture.js'
import { type BankGatewayParts, replaceBankParts, withBankParts } from '../banks.fixture.js'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import type { Disturbance } from './bank-calls.fixture.js'
import { type BankCall, type PixGateway, openPixGateway } from './pix-bank.fixture.js'
import { readCharges } from './charge-read-service.js'
import { refundSurpluses } from './bank-refund-service.js'
import { processRefunds } from '../../../gateway/src/payment/refund-service.js'

/** The lost calls of a refund; each time nothing goes back twice. */
const LOST: readonly (readonly [string, readonly (readonly [BankCall, Disturbance])[]])[] = [
  ['the request', [['refund', 'cut-before']]],
  ['the answer', [['refund', 'cut-after']]],
  ['the answer of a connector that fails', [['refund', 'rejected']]],
  [
    'every second call',
    [
      ['findRefund', 'cut-before'],
      ['refund', 'cut-after'],
      ['findRefund', 'unavailable'],
    ],
  ],
  [
    'the connection',
    [
      ['findRefund', 'unavailable'],
      ['refund', 'unavailable'],
    ],
  ],
  ['the right to read', [['findRefund', 'refused']]],
]

type Round = (parts: BankGatewayParts) => Promise<unknown>

for (const engine of TEST_ENGINES) {
  describe(`a refund of a PIX, on ${engine.name}`, () => {
    let pix: PixGateway
    let code: TransactionCode
    beforeEach(async () => {
      pix = await openPixGateway(engine)
      await pix.create('order-1')
      code = (await pix.find('order-1'))!.code
      pix.bank.pay()
      await round(readCharges, 5 * SECOND_MS)
      pix.bank.calls.length = 0
    })
    afterEach(() => pix.close())

    const round = async (job: Round, ms = 2 * HOUR_MS): Promise<void> => {
      pix.time.nowMs += ms
      await job(pix.parts)
    }
    const ask = (body: object = {}, key?: string) =>
      pix.test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds', ...body },
        headers: { 'idempotency-key': key },
      })
    const begin = async (what: 'a refund' | 'a surplus') => {
      if (what === 'a refund') {
        await ask()
        return processRefunds
      }
      pix.bank.pay(700)
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await round(readCharges, 10 * SECOND_MS)
      return refundSurpluses
    }
    const refunds = async () => (await pix.parts.refunds.findOf([code])).get(code) ?? []
    const statuses = async () => (await refunds()).map((refund) => refund.status)
    const status = async () => (await pix.find('order-1'))?.status
    const linesOf = (words: string) => pix.logged.filter((line) => line.includes(words))
    /** The bank ends its newest refund as failed. */
    const stopRefund = (): void => {
      const made = pix.bank.charges.get(pix.bank.txid)!.payments.find((one) => one.refunds.length)!
      made.refunds[0] = { ...made.refunds[0]!, state: 'not-done', reason: 'no balance' }
    }

    it('goes to the bank of the account under our id', async () => {
      expect((await ask()).status).toBe(201)
      await round(processRefunds)
      const [refund] = await refunds()
      expect(refund).toMatchObject({ status: 'PROCESSED', amountMinor: 10_000 })
      expect(await status()).toBe('REFUNDED')
      const [payment] = pix.bank.charges.get(pix.bank.txid)!.payments
      expect(payment!.refunds).toEqual([
        { id: `cofre${refund!.id}`, amountMinor: 10_000, state: 'returned' },
      ])
    })

    it('may be partial, several times, and never more than was paid', async () => {
      for (const amount of [30, 20.5]) {
        await ask({ amount })
        await round(processRefunds)
      }
      expect(await ask({ amount: 60 })).toMatchObject({ codes: [20608] })
      await ask({ amount: 49.5 })
      await round(processRefunds)
      expect(await statuses()).toEqual(['PROCESSED', 'PROCESSED', 'PROCESSED'])
      expect(pix.bank.refundedMinor()).toBe(10_000)
    })

    it('of one reference and amount under two keys is two at the bank', async () => {
      for (const key of ['part-1', 'part-2']) {
        await ask({ amount: 40, reference: 'order-1' }, key)
        await round(processRefunds)
      }
      expect(await statuses()).toEqual(['PROCESSED', 'PROCESSED'])
      expect(pix.bank.refundedMinor()).toBe(8_000)
    })

    it('of one reference without a key is another at the bank once the first was refused', async () => {
      pix.bank.settings.refunds = 'in-process'
      await ask({ reference: 'order-1' })
      await round(processRefunds)
      stopRefund()
      await round(processRefunds)
      pix.bank.settings.refunds = 'returned'
      await ask({ reference: 'order-1' })
      await round(processRefunds)
      expect(await statuses()).toEqual(['REJECTED', 'PROCESSED'])
    })

    it.each(LOST)('is made once when this is lost: %s', async (_, calls) => {
      for (const [call, disturbance] of calls) pix.bank.disturb(call, disturbance)
      await ask({ amount: 40 })
      for (let i = 0; i < 4; i++) await round(processRefunds)
      expect(await statuses()).toEqual(['PROCESSED'])
      expect(pix.bank.refundedMinor()).toBe(4_000)
    })

    it('is made once when a worker ended after the bank had made it', async () => {
      const { finish } = pix.parts.refunds
      await ask()
      pix.parts.refunds.finish = () => Promise.reject(new Error('killed'))
      await expect(round(processRefunds)).rejects.toThrow('killed')
      pix.parts.refunds.finish = finish
      await round(processRefunds)
      expect(await statuses()).toEqual(['PROCESSED'])
      expect(pix.bank.refundedMinor()).toBe(10_000)
    })

    it('is made once by two workers', async () => {
      await ask()
      pix.time.nowMs += HOUR_MS
      await Promise.all([processRefunds(pix.parts), processRefunds(pix.parts)])
      expect(pix.bank.calls.filter((call) => call === 'refund')).toHaveLength(1)
    })

    it.each([
      ['returned', 'PROCESSED', 'REFUNDED'],
      ['not-done', 'REJECTED', 'COMPLETE'],
    ] as const)(
      'in process at the bank is asked for until it is %s',
      async (end, outcome, then) => {
        pix.bank.settings.refunds = 'in-process'
        await ask()
        for (let i = 0; i < 3; i++) await round(processRefunds)
        expect(await statuses()).toEqual(['PROCESSING'])
        const [payment] = pix.bank.charges.get(pix.bank.txid)!.payments
        payment!.refunds[0] = { ...payment!.refunds[0]!, state: end }
        await round(processRefunds)
        expect(await statuses()).toEqual([outcome])
        expect(await status()).toBe(then)
        expect(pix.bank.calls.filter((call) => call === 'refund')).toHaveLength(1)
      },
    )

    it.each([
      ['asked for', () => round(processRefunds)],
      ['read', () => round(readCharges)],
    ])("that the bank stops later has the bank's word in the log, when %s", async (_, find) => {
      pix.bank.settings.refunds = 'in-process'
      await ask()
      await round(processRefunds)
      stopRefund()
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      for (let i = 0; i < 2; i++) await find()
      expect(await statuses()).toEqual(['REJECTED'])
      expect(linesOf('has not made a refund')).toEqual([expect.stringContaining('no balance')])
    })

    it('is no matter of the log when it is put off for the sake of a limit', async () => {
      await ask()
      pix.bank.disturb('findRefund', 'away-for-a-minute')
      pix.bank.disturb('refund', 'away-for-a-minute')
      for (let i = 0; i < 2; i++) await round(processRefunds)
      expect(linesOf('has not made a refund')).toEqual([])
      await round(processRefunds)
      expect(await statuses()).toEqual(['PROCESSED'])
    })

    it.each(['a refund', 'a surplus'] as const)(
      'is requested right after the pause that the bank wanted, each time: %s',
      async (what) => {
        const job = await begin(what)
        for (let pause = 0; pause < 5; pause++) {
          pix.bank.disturb('findRefund', 'away-for-a-minute')
          await round(job, 60 * SECOND_MS)
        }
        await round(job, 60 * SECOND_MS)
        expect(pix.bank.refundedMinor()).toBe(what === 'a refund' ? 10_000 : 700)
      },
    )

    /** The number of half minutes until the bank's next call. */
    const halfMinutesTo = async (job: Round): Promise<number> => {
      const before = pix.bank.calls.length
      for (let waited = 1; waited <= 200; waited++) {
        await round(job, MINUTE_MS / 2)
        if (pix.bank.calls.length > before) return waited
      }
      return Infinity
    }

    it.each(['a refund', 'a surplus'] as const)(
      'in process is requested after 1, 2, 5, 10 and then 15 minutes: %s',
      async (what) => {
        pix.bank.settings.refunds = 'in-process'
        const job = await begin(what)
        for (let i = 0; i < 3; i++) pix.bank.disturb('findRefund', 'unavailable')
        // Earlier unanswered calls do not count as steps of the pause.
        for (let i = 0; i < 4; i++) await round(job)
        const waited: number[] = []
        for (let i = 0; i < 6; i++) waited.push(await halfMinutesTo(job))
        expect(waited).toEqual([2, 4, 10, 20, 30, 30])
      },
    )

    it.each(['a refund', 'a surplus'] as const)(
      'is requested at pauses that grow while the bank does not answer, and only then: %s',
      async (what) => {
        pix.bank.settings.refunds = 'in-process'
        const job = await begin(what)
        await round(job, SECOND_MS)
        for (let i = 0; i < 5; i++) await halfMinutesTo(job)
        const waited: number[] = []
        for (let i = 0; i < 3; i++) {
          pix.bank.disturb('findRefund', 'unavailable')
          waited.push(await halfMinutesTo(job))
        }
        expect(waited).toEqual([30, 3, 6])
      },
    )

    it('that the bank refuses is rejected, and its amount is free again', async () => {
      pix.bank.disturb('refund', 'refused')
      await ask()
      await round(processRefunds)
      expect(await statuses()).toEqual(['REJECTED'])
      await ask()
      await round(processRefunds)
      expect(await statuses()).toEqual(['REJECTED', 'PROCESSED'])
      expect(pix.bank.refundedMinor()).toBe(10_000)
    })

    it('of what went back at the bank by hand is rejected', async () => {
      const [payment] = pix.bank.charges.get(pix.bank.txid)!.payments
      payment!.refunds.push({ id: 'D1', amountMinor: minorUnits(10_000), state: 'returned' })
      await ask()
      await round(processRefunds)
      expect(await statuses()).toEqual(['REJECTED'])
    })

    it('goes to the account that charged, though it is disabled', async () => {
      await pix.parts.accounts.disable('bank-1', 'operator:ana')
      await ask()
      await round(processRefunds)
      expect(await statuses()).toEqual(['PROCESSED'])
    })

    it('is accepted by who charged it: the account, not the rails', async () => {
      const rails = { ...pix.parts.rails, acceptsRefund: () => false }
      replaceBankParts(pix.parts, { rails })
      expect((await ask()).status).toBe(201)
      await round(processRefunds)
      expect(await statuses()).toEqual(['PROCESSED'])
      // A transaction as written before accounts existed.
      await pix.database.transact(async (trx) => {
        const details = JSON.stringify({ kind: 'pix', code: 'x' })
        await trx.updateTable('transactions').set({ payment_details: details }).execute()
        for (const table of ['bank_charges', 'charge_names', 'bank_payments', 'refunds'] as const)
          await trx.deleteFrom(table).execute()
      })
      expect(await ask()).toMatchObject({ codes: [20605] })
    })

    it('waits where the credentials are gone', async () => {
      await ask()
      const { bankOf } = pix.parts
      pix.time.nowMs += HOUR_MS
      const without = withBankParts(pix.parts, { bankOf: undefined })
      await expect(processRefunds(without)).rejects.toThrow('the account bank-1 is not here')
      expect(await statuses()).toEqual(['PROCESSING'])
      await round(() => processRefunds(withBankParts(pix.parts, { bankOf })))
      expect(await statuses()).toEqual(['PROCESSED'])
    })

    it("may be requested 90 days after the payment by the bank's clock", async () => {
      pix.time.nowMs += 91 * DAY_MS
      expect(await ask()).toMatchObject({ codes: [20621] })
    })

    it('of an order that was set COMPLETE by hand is rejected: no money came', async () => {
      const body = railRequest('order-2', 'pix')
      await pix.test.send('POST', '/transactions', { body })
      const other = (await pix.find('order-2'))!
      await pix.gateway.desk.changes.changeStatus(other.code, 'COMPLETE')
      await ask({ 'transaction-id': other.code })
      await round(processRefunds)
      const found = await pix.parts.refunds.findOf([other.code])
      expect(found.get(other.code)).toMatchObject([{ status: 'REJECTED' }])
    })

    it.each(LOST)('of a surplus is made once when this is lost: %s', async (_, calls) => {
      pix.bank.pay(700)
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await round(readCharges)
      for (const [call, disturbance] of calls) pix.bank.disturb(call, disturbance)
      for (let i = 0; i < 4; i++) await round(refundSurpluses)
      expect((await pix.details(code))!.payments.at(-1)).toMatchObject({
        purpose: 'second-payment',
        refundStatus: 'PROCESSED',
      })
      expect(pix.bank.refundedMinor()).toBe(700)
    })

    it('of a surplus that the bank does not make stays visible as rejected', async () => {
      pix.bank.pay(700)
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await round(readCharges)
      pix.bank.disturb('refund', 'refused')
      expect(pix.logged.join('\n')).toMatch(
        new RegExp(`unexpected payment.*${code}.*bank-1.*700.*second-payment.*PROCESSING`),
      )
      for (let i = 0; i < 3; i++) await round(refundSurpluses)
      expect((await pix.details(code))!.payments.at(-1)).toMatchObject({ refundStatus: 'REJECTED' })
      expect(pix.bank.refundedMinor()).toBe(0)
      expect(linesOf('surplus')).toEqual([expect.stringMatching(`${code}.*bank-1.*700`)])
    })

    it.each([
      ['asked for', () => round(refundSurpluses)],
      ['read', () => round(readCharges)],
    ])('of a surplus that the bank stops later is said with its word, when %s', async (_, find) => {
      pix.bank.settings.refunds = 'in-process'
      pix.bank.pay(700)
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await round(readCharges)
      await round(refundSurpluses)
      stopRefund()
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      for (let i = 0; i < 2; i++) await find()
      expect((await pix.details(code))!.payments.at(-1)).toMatchObject({ refundStatus: 'REJECTED' })
      expect(linesOf('surplus')).toEqual([expect.stringMatching(`${code}.*bank-1.*700`)])
      expect(pix.logged.join()).toContain('no balance')
    })

    it('of a surplus is not made twice after a database was restored', async () => {
      pix.bank.pay(700)
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await round(readCharges)
      await round(refundSurpluses)
      await pix.database.transact((trx) => trx.deleteFrom('bank_payments').execute())
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await round(readCharges)
      await round(refundSurpluses)
      expect(pix.bank.refundedMinor()).toBe(700)
    })
  })
}

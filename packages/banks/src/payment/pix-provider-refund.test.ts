import { DAY_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT } from '../../../gateway/src/gateway.fixture.js'
import { withBankParts } from '../banks.fixture.js'
import type { PixBankRefund } from '@cofre/provider-kit/bank'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import { type PixGateway, openPixGateway } from './pix-bank.fixture.js'
import { sweepAccounts } from './bank-sweep-service.js'
import { readCharges } from './charge-read-service.js'
import { refundSurpluses } from './bank-refund-service.js'
import { processRefunds } from '../../../gateway/src/payment/refund-service.js'
import { notificationsOf } from '../../../gateway/src/ledger/transaction/notifications.fixture.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`a refund of a PIX that its bank decides on, on ${engine.name}`, () => {
    let pix: PixGateway
    let code: TransactionCode
    beforeEach(async () => {
      pix = await openPixGateway(engine)
      await pix.create('order-1')
      code = (await pix.find('order-1'))!.code
      pix.bank.pay()
      await after(5 * SECOND_MS)
      expect(await status()).toBe('COMPLETE')
    })
    afterEach(() => pix.close())

    const after = async (ms: number): Promise<void> => {
      pix.time.nowMs += ms
      await readCharges(pix.parts)
    }
    /** The bank sends a notice of the charge, and a worker reads it. */
    const notice = async (): Promise<void> => {
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      await after(10 * SECOND_MS)
    }
    const sweep = async (ms = 30 * SECOND_MS): Promise<void> => {
      pix.time.nowMs += ms
      await sweepAccounts(pix.parts)
    }
    const atBank = (index = 0): PixBankRefund[] =>
      pix.bank.charges.get(pix.bank.txid)!.payments[index]!.refunds
    const byHand = (amount: number, state: PixBankRefund['state'] = 'returned', id = 'D1') => {
      const refund: PixBankRefund = { id, amountMinor: minorUnits(amount), state }
      const at = atBank().findIndex((known) => known.id === id)
      if (at < 0) atBank().push(refund)
      else atBank()[at] = refund
    }
    const ask = (body: object = {}, key?: string) =>
      pix.test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds', ...body },
        headers: { 'idempotency-key': key },
      })
    const process = async (ms = 2 * MINUTE_MS): Promise<void> => {
      pix.time.nowMs += ms
      await processRefunds(pix.parts)
    }
    const refunds = async () => (await pix.parts.refunds.findOf([code])).get(code) ?? []
    const summary = async () =>
      (await refunds()).map((one) => [one.status, one.amountMinor, one.providerRefundId])
    const status = async () => (await pix.find('order-1'))?.status
    /** The shop's notifications, in order: a status, or the end of a refund. */
    const notified = async () =>
      (await notificationsOf(pix.parts.database, code)).map((notification) =>
        notification.refundId === undefined ? notification.status : 'refund',
      )
    const searched = async () => {
      const { json } = await pix.test.send('GET', `/transactions/${code}`)
      return JSON.stringify(json)
    }

    it('made at the bank by people is one, however often and from how many sides it is read', async () => {
      byHand(1_000)
      byHand(2_000, 'returned', 'D2')
      for (let round = 0; round < 3; round++) {
        await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
        pix.time.nowMs += DAY_MS
        await Promise.all([
          readCharges(pix.parts),
          sweepAccounts(pix.parts),
          readCharges(pix.parts),
          sweepAccounts(pix.parts),
        ])
      }
      expect((await summary()).toSorted()).toEqual([
        ['PROCESSED', 1_000, 'D1'],
        ['PROCESSED', 2_000, 'D2'],
      ])
      expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'REFUNDED'])
    })

    it("shows the bank's reason, if it gave one, in the search and the notice", async () => {
      const nature = 'MED_FRAUDE' as const
      atBank().push({ id: 'D1', amountMinor: minorUnits(1_000), state: 'returned', nature })
      await notice()
      byHand(2_000, 'returned', 'D2')
      await notice()
      expect((await refunds()).map((one) => one.nature)).toEqual([nature, undefined])
      expect(await searched()).toMatch(/"refund-origin":"provider","refund-nature":"MED_FRAUDE"/)
      expect((await searched()).match(/refund-nature/g)).toHaveLength(1)
      const notices = await notificationsOf(pix.parts.database, code)
      expect(notices.map((notification) => notification.refundNature)).toEqual([
        undefined,
        nature,
        undefined,
      ])
    })

    // The rest are rules of the service; other suites run its statements on PostgreSQL.
    if (engine.name === 'postgres') return

    describe('made at the bank by people', () => {
      it.each(['a notice', 'the sweep'])('is one of the transaction, found by %s', async (by) => {
        byHand(4_000)
        await (by === 'a notice' ? notice() : sweep(DAY_MS))
        expect(await summary()).toEqual([['PROCESSED', 4_000, 'D1']])
        expect(await refunds()).toMatchObject([
          { requestedAtMs: pix.time.nowMs, processedAtMs: pix.time.nowMs, reference: undefined },
        ])
        expect(await status()).toBe('REFUNDED')
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED'])
        const details = await withOperator(pix).gateway.backOffice.findTransaction(
          MERCHANT.id,
          String(code),
        )
        expect(details?.refunds).toMatchObject([{ providerRefundId: 'D1', amountMinor: 4_000 }])
        expect(await searched()).toMatch(/"refund-status":"PROCESSED","refund-amount":"?40.00/)
      })

      it('is found even if the bank was unavailable after its notice', async () => {
        byHand(4_000)
        pix.bank.disturb('findCharge', 'unavailable', 'cut-before')
        await notice()
        expect(await refunds()).toEqual([])
        for (let look = 0; look < 3; look++) await after(10 * MINUTE_MS)
        expect(await summary()).toEqual([['PROCESSED', 4_000, 'D1']])
      })

      it('counts against what is left to refund', async () => {
        byHand(4_000)
        await notice()
        expect(await ask({ amount: 60.01 })).toMatchObject({ codes: [20608] })
        expect((await ask({ amount: 60 })).status).toBe(201)
        await process()
        expect(pix.bank.refundedMinor()).toBe(10_000)
        expect(await searched()).toContain('"refundable":false')
      })

      it('is found with its payment, when both are new', async () => {
        await pix.create('order-2')
        pix.bank.pay()
        byHand(10_000)
        await after(5 * SECOND_MS)
        const other = (await pix.find('order-2'))!
        expect(other.status).toBe('REFUNDED')
        const found = await pix.parts.refunds.findOf([other.code])
        expect(found.get(other.code)).toMatchObject([{ status: 'PROCESSED', amountMinor: 10_000 }])
      })

      it.each([
        ['returned', 'PROCESSED', 'REFUNDED'],
        ['not-done', 'REJECTED', 'COMPLETE'],
      ] as const)(
        'in process is read at growing pauses until it is %s',
        async (end, outcome, then) => {
          byHand(4_000, 'in-process')
          await notice()
          expect(await summary()).toEqual([['PROCESSING', 4_000, 'D1']])
          expect(await ask()).toMatchObject({ codes: [20607] })
          expect(await notified()).toEqual(['COMPLETE'])
          pix.bank.calls.length = 0
          // A worker's rate: ten minutes, four times a second.
          for (let second = 0; second < 600; second += 5) {
            await process(5 * SECOND_MS)
            await readCharges(pix.parts)
          }
          const reads = pix.bank.calls.filter((call) => call === 'findCharge').length
          expect(reads).toBeGreaterThan(2)
          expect(reads).toBeLessThan(7)
          byHand(4_000, end)
          for (let hour = 0; hour < 2; hour++) {
            await process(DAY_MS)
            await after(10 * SECOND_MS)
          }
          expect(await summary()).toEqual([[outcome, 4_000, 'D1']])
          expect(await status()).toBe(then)
          expect(pix.bank.calls).not.toContain('refund')
        },
      )

      it('that failed from the start is not recorded', async () => {
        byHand(4_000, 'not-done')
        await notice()
        expect(await refunds()).toEqual([])
        expect(await status()).toBe('COMPLETE')
      })

      it('while one of the shop is in process is kept beside it', async () => {
        pix.bank.settings.refunds = 'in-process'
        await ask({ amount: 30 })
        await process()
        byHand(4_000, 'in-process')
        byHand(1_000, 'in-process', 'D2')
        await notice()
        const amounts = (await summary()).map(([state, amount]) => [state, amount])
        expect(new Set(amounts)).toEqual(
          new Set([3_000, 4_000, 1_000].map((amount) => ['PROCESSING', amount])),
        )
        for (const refund of atBank()) byHand(refund.amountMinor, 'returned', refund.id)
        await notice()
        expect(new Set((await summary()).map(([state]) => state))).toEqual(new Set(['PROCESSED']))
      })

      it('of a surplus stays with the surplus, and brings it to its end', async () => {
        pix.bank.pay(700)
        await notice()
        atBank(1).push({ id: 'D9', amountMinor: minorUnits(700), state: 'returned' })
        await notice()
        await refundSurpluses(pix.parts)
        expect(await refunds()).toEqual([])
        expect((await pix.details(code))!.payments[1]).toMatchObject({
          refundStatus: 'PROCESSED',
          bankRefunds: [{ id: 'D9' }],
        })
        expect(await status()).toBe('COMPLETE')
        expect(pix.bank.refundedMinor()).toBe(700)
      })

      it('that leaves nothing explains why the shop is refused', async () => {
        byHand(10_000)
        await ask()
        await process()
        await after(MINUTE_MS)
        expect(await summary()).toEqual([
          ['REJECTED', 10_000, undefined],
          ['PROCESSED', 10_000, 'D1'],
        ])
        expect(await notified()).toEqual(['COMPLETE', 'refund', 'REFUNDED'])
      })

      it('under a name that a lost database had given is one that people made', async () => {
        byHand(4_000, 'returned', 'cofre123456789')
        await notice()
        expect(await summary()).toEqual([['PROCESSED', 4_000, 'cofre123456789']])
      })

      it('leaves what is in dispute as it is', async () => {
        await pix.parts.transactions.changeStatus(code, { to: 'CHARGEBACK', atMs: pix.time.nowMs })
        byHand(10_000)
        await notice()
        expect(await summary()).toEqual([['PROCESSED', 10_000, 'D1']])
        expect(await status()).toBe('CHARGEBACK')
      })
    })

    describe('that the shop requested', () => {
      const ours = (state: PixBankRefund['state']): void => {
        const [refund] = atBank()
        byHand(refund!.amountMinor, state, refund!.id)
      }

      it('is known by its name, and never counted twice', async () => {
        await ask({ amount: 40, reference: 'return-1' })
        await process()
        await notice()
        await sweep(DAY_MS)
        expect(await summary()).toEqual([['PROCESSED', 4_000, undefined]])
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'refund'])
      })

      it('ends by a notice before its worker asks again', async () => {
        pix.bank.settings.refunds = 'in-process'
        await ask()
        await process()
        ours('returned')
        await notice()
        expect(await summary()).toEqual([['PROCESSED', 10_000, undefined]])
        await process(DAY_MS)
        expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'refund'])
      })

      it.each(['a notice', 'the sweep'])(
        'is rejected afterwards by %s, and its amount is free again',
        async (by) => {
          await ask()
          await process()
          expect(await status()).toBe('REFUNDED')
          if (by === 'a notice') await notice()
          ours('not-done')
          for (let twice = 0; twice < 2; twice++)
            await (by === 'a notice' ? notice() : sweep(DAY_MS))
          expect(await summary()).toEqual([['REJECTED', 10_000, undefined]])
          // It must not be COMPLETE again: the shop would deliver a cancelled order.
          expect(await status()).toBe('REFUNDED')
          expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'refund', 'refund'])
          expect(pix.logged.join()).toContain('a bank has changed how a refund ended')
          expect(await searched()).toContain('"refundable":true')
          expect((await ask({ amount: 100 })).status).toBe(201)
          await process()
          expect(pix.bank.refundedMinor()).toBe(10_000)
        },
      )

      it('is processed after all when the bank had refused it and then shows it', async () => {
        pix.bank.disturb('refund', 'refused')
        await ask()
        await process()
        const [refund] = await refunds()
        expect(refund?.status).toBe('REJECTED')
        byHand(10_000, 'returned', `cofre${refund!.id}`)
        await notice()
        expect(await summary()).toEqual([['PROCESSED', 10_000, undefined]])
        expect(await status()).toBe('REFUNDED')
      })

      it('stays rejected though a reading from before arrives late', async () => {
        await ask()
        await process()
        await notice()
        ours('not-done')
        await notice()
        ours('returned')
        await notice()
        await sweep(DAY_MS)
        expect(await summary()).toEqual([['REJECTED', 10_000, undefined]])
      })

      const KEYS = [['with its key', 'key-1'] as const, ['without a key', undefined] as const]
      const RETURN = { amount: 40, reference: 'return-1' }

      it.each(KEYS)('is made once when a restored database is asked again, %s', async (_, key) => {
        await ask(RETURN, key)
        await process()
        await forgetRefunds()
        expect((await ask(RETURN, key)).status).toBe(201)
        await process()
        await notice()
        expect(await summary()).toEqual([['PROCESSED', 4_000, undefined]])
        expect(pix.bank.refundedMinor()).toBe(4_000)
      })

      it.each(KEYS)('is not made again when the bank was read before, %s', async (_, key) => {
        await ask(RETURN, key)
        await process()
        await forgetRefunds()
        await notice()
        expect(await summary()).toEqual([['PROCESSED', 4_000, atBank()[0]?.id]])
        const [known] = await refunds()
        const again = await ask(RETURN, key)
        expect(again).toMatchObject(
          key === undefined
            ? { status: 409, codes: [20607] }
            : { status: 201, json: { 'refund-id': String(known?.id) } },
        )
        await process()
        expect(pix.bank.refundedMinor()).toBe(4_000)
      })

      /** Leaves the database as it was before the refund. */
      const forgetRefunds = async (): Promise<void> => {
        await pix.database.transact(async (trx) => {
          for (const table of ['refunds', 'refund_keys', 'idempotency_keys'] as const)
            await trx.deleteFrom(table).execute()
          await trx.updateTable('bank_payments').set({ bank_refunds: '[]' }).execute()
          await trx.updateTable('transactions').set({ status: 'COMPLETE' }).execute()
        })
      }
    })

    it.each([
      [6, 7],
      [20, 30],
      [80, 90],
    ])('made at the bank on day %i is found on day %i without any notice', async (day, found) => {
      const days = async (count: number): Promise<void> => {
        for (let passed = 0; passed < count; passed++) {
          await sweep(DAY_MS - 2 * SECOND_MS)
          await sweep(SECOND_MS)
          await sweep(SECOND_MS)
        }
      }
      await days(day)
      byHand(10_000)
      await days(found - day - 1)
      expect(await refunds()).toEqual([])
      await days(2)
      expect(await summary()).toEqual([['PROCESSED', 10_000, 'D1']])
      expect(await status()).toBe('REFUNDED')
    })

    it('made at the bank is reversed by the bank, and the shop is notified', async () => {
      byHand(10_000)
      await notice()
      byHand(10_000, 'not-done')
      await notice()
      expect(await summary()).toEqual([['REJECTED', 10_000, 'D1']])
      expect(await notified()).toEqual(['COMPLETE', 'REFUNDED', 'REFUNDED'])
      expect(await searched()).toContain('"refundable":true')
    })

    it.each(['returned', 'not-done'] as const)(
      'of a surplus follows the word of the bank: %s',
      async (end) => {
        pix.bank.pay(700)
        await notice()
        await refundSurpluses(pix.parts)
        atBank(1)[0] = { ...atBank(1)[0]!, state: end }
        await notice()
        const [, surplus] = (await pix.details(code))!.payments
        expect(surplus?.refundStatus).toBe(end === 'returned' ? 'PROCESSED' : 'REJECTED')
      },
    )

    it('leaves nothing half written when a worker ends within it', async () => {
      byHand(4_000)
      const randomBelow = (): never => {
        throw new Error('killed')
      }
      await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      pix.time.nowMs += MINUTE_MS
      await expect(readCharges(withBankParts(pix.parts, { randomBelow }))).rejects.toThrow('killed')
      expect(await refunds()).toEqual([])
      expect((await pix.details(code))!.payments).toMatchObject([{ bankRefunds: [] }])
      await after(2 * MINUTE_MS)
      await notice()
      expect(await summary()).toEqual([['PROCESSED', 4_000, 'D1']])
    })
  })
}

import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beginDeadline } from '@cofre/work'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MERCHANT, NOW_MS } from '../../../gateway/src/gateway.fixture.js'
import type { Transaction } from '../../../gateway/src/model/transaction/transaction.js'
import {
  type BoletoGateway,
  boletoRequest,
  createFakeBoletoBank,
  openBoletoGateway,
} from './boleto-bank.fixture.js'
import type { BankGatewayParts } from '../banks.fixture.js'
import { dyingProcess, refundTwice, work } from './dying-process.fixture.js'
import { accountOf } from './pix-bank.fixture.js'
import {
  createTransaction,
  readTransactionRequest,
} from '../../../gateway/src/payment/transaction-service.js'
import { notificationsOf } from '../../../gateway/src/ledger/transaction/notifications.fixture.js'

type Bank = ReturnType<typeof createFakeBoletoBank>

/** A store with two accounts. */
type TwoBanks = BoletoGateway & { readonly banks: readonly [Bank, Bank] }

for (const engine of TEST_ENGINES) {
  describe(`boletos at a bank on ${engine.name}`, () => {
    /**
     * Runs one order from its request to its refunds, in a process and, once it has died, in
     * another.
     */
    async function sell(boleto: TwoBanks, reference: string, steps: number): Promise<boolean> {
      const { deps, hasDied } = dyingProcess(boleto, steps)
      const alive = (): BankGatewayParts => (hasDied() ? boleto.parts : deps)
      boleto.time.nowMs = Math.max(boleto.time.nowMs, NOW_MS) + DAY_MS
      // The first account is unavailable for a moment: the second may get the boleto, and issue it
      // late.
      boleto.banks[0].disturb('issue', 'unavailable')
      const found = await order(boleto, reference, { alive, steps })
      expectOneOpen(boleto, found)
      if (found.status === 'PENDING') await payAndRefund(boleto, found, { alive, steps })
      return hasDied()
    }

    interface Life {
      readonly alive: () => BankGatewayParts
      readonly steps: number
    }

    /** The shop retries, before or after a worker has withdrawn a boleto that no payer has seen. */
    async function order(
      boleto: TwoBanks,
      reference: string,
      { alive, steps }: Life,
    ): Promise<Transaction> {
      const policy = { ...boleto.parts.requestPolicy, today: '2026-11-21' }
      const request = readTransactionRequest(boletoRequest(reference), MERCHANT, policy)
      for (let attempt = 0; attempt < 8; attempt++) {
        const creation = {
          request,
          isRetry: (attempt + steps) % 2 === 1,
          deadline: beginDeadline(),
        }
        await createTransaction(alive(), MERCHANT, creation).catch(() => undefined)
        const found = await boleto.find(reference)
        if (found?.open === false) return found
        boleto.time.nowMs += attempt < 2 && steps % 4 < 2 ? 65 * SECOND_MS : 3 * MINUTE_MS
        await work(alive())
      }
      throw new Error(`${reference} is never accepted: ${boleto.logged.slice(-9).join('; ')}`)
    }

    /** The only payable boleto of an order is the one that the payer was shown. */
    function expectOneOpen({ banks }: TwoBanks, { status }: Transaction): void {
      const boletos = banks.flatMap((bank) => bank.boletos)
      const names = boletos.map(({ order: { name } }) => name)
      expect(new Set(names).size).toBe(names.length)
      const open = boletos.filter(({ state }) => state === 'open' || state === 'issuing')
      expect(open).toHaveLength(status === 'PENDING' ? 1 : 0)
    }

    async function payAndRefund(
      boleto: TwoBanks,
      { code, reference }: Transaction,
      { alive, steps }: Life,
    ): Promise<void> {
      const { accountId, name } = (await boleto.details(code))!
      const bank = accountId === 'bank-1' ? boleto.banks[0] : boleto.banks[1]
      const rounds = async (): Promise<void> => {
        for (let round = 0; round < 2; round++) {
          await boleto.parts.bankCharges.planReadsByName(accountId, [name], boleto.time.nowMs)
          boleto.time.nowMs += 10 * MINUTE_MS
          await Promise.all([work(alive()), work(alive())])
        }
      }
      const booked = bank.boletos.find(({ order }) => order.name === name)!
      booked.state = 'open'
      await rounds()
      expect(await boleto.find(reference)).toMatchObject({
        paymentDetails: { barcode: expect.stringMatching(/^\d{44}$/) as string },
      })
      for (const way of ['pix', 'pix', 'line'] as const) bank.pay(way, { name })
      await rounds()
      await refundTwice(boleto, code, { alive, steps, rounds })
      await expectOneOfEach(boleto, (await boleto.find(reference))!, booked)
    }

    async function expectOneOfEach(
      boleto: TwoBanks,
      { code, status }: Transaction,
      { payments }: Bank['boletos'][number],
    ): Promise<void> {
      expect(status).toBe('REFUNDED')
      const known = (await boleto.details(code))!.payments
      expect(known.map(({ purpose, refundStatus }) => [purpose, refundStatus]).toSorted()).toEqual([
        ['order', undefined],
        ['second-payment', 'KEPT'],
        ['second-payment', 'PROCESSED'],
      ])
      const refunds = (await boleto.parts.refunds.findOf([code])).get(code) ?? []
      expect(refunds.map((one) => [one.status, one.amountMinor])).toEqual([['PROCESSED', 4_000]])
      const sent = payments.flatMap((payment) => payment.refunds.map((one) => one.amountMinor))
      expect(sent.map(Number).toSorted()).toEqual([10_000, 4_000])
      const notified = (await notificationsOf(boleto.parts.database, code)).map((notification) =>
        notification.refundId === undefined ? notification.status : 'refund',
      )
      expect(notified).toEqual(['COMPLETE', 'REFUNDED', 'refund'])
    }

    it('issues one and refunds once, wherever its process ends', async () => {
      const time = { now: (): number => 0 }
      const banks = [
        createFakeBoletoBank(() => time.now()),
        createFakeBoletoBank(() => time.now()),
      ] as const
      const boleto = await openBoletoGateway(engine, {
        bankOf: ({ id }) => ({ boleto: banks[id === 'bank-1' ? 0 : 1].bank }),
      })
      onTestFinished(() => boleto.close())
      time.now = () => boleto.time.nowMs
      for (const bank of banks) bank.settings.takenAs = 'issuing'
      await boleto.parts.accounts.create(accountOf('bank-2'), ['boleto'], 'operator:ana')
      // Every place where the process may end, or a sample.
      const stride = engine.name === 'sqlite' ? 1 : 5
      let steps = 0
      while (await sell({ ...boleto, banks }, `order-${steps}`, steps)) steps += stride
      expect(steps).toBeGreaterThan(20)
    }, 240_000)
  })
}

import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beginDeadline } from '@cofre/work'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MERCHANT, railRequest } from '../../../gateway/src/gateway.fixture.js'
import type { Transaction } from '../../../gateway/src/model/transaction/transaction.js'
import type { BankGatewayParts } from '../banks.fixture.js'
import { type PixGateway, accountOf, createFakeBank, openPixGateway } from './pix-bank.fixture.js'
import { dyingProcess, refundTwice, work } from './dying-process.fixture.js'
import {
  createTransaction,
  readTransactionRequest,
} from '../../../gateway/src/payment/transaction-service.js'
import { notificationsOf } from '../../../gateway/src/ledger/transaction/notifications.fixture.js'

/** A store with two accounts. */
type TwoBanks = PixGateway & { readonly banks: readonly ReturnType<typeof createFakeBank>[] }

for (const engine of TEST_ENGINES) {
  describe(`PIX at a bank on ${engine.name}`, () => {
    /**
     * Runs one order from its request to its refunds, in a process and, once it has died, in
     * another.
     */
    async function sell(pix: TwoBanks, reference: string, steps: number): Promise<boolean> {
      const { deps, hasDied } = dyingProcess(pix, steps)
      const alive = (): BankGatewayParts => (hasDied() ? pix.parts : deps)
      const [first, second] = pix.banks
      const policy = { ...pix.parts.requestPolicy, today: '2026-11-21' }
      const request = readTransactionRequest(railRequest(reference, 'pix'), MERCHANT, policy)
      const order = async (): Promise<Transaction> => {
        for (let attempt = 0; attempt < 6; attempt++) {
          const creation = { request, isRetry: attempt % 2 === 1, deadline: beginDeadline() }
          await createTransaction(alive(), MERCHANT, creation).catch(() => undefined)
          const found = await pix.find(reference)
          if (found?.open === false) return found
          pix.time.nowMs += 3 * MINUTE_MS
          await work(alive())
        }
        throw new Error(`${reference} is never accepted: ${pix.logged.slice(-9).join('; ')}`)
      }
      // The first account is unavailable for a moment: the second may get the charge.
      first!.disturb('openCharge', 'unavailable')
      const { code } = await order()
      const { accountId, name: txid } = (await pix.details(code))!
      const charged = (accountId === 'bank-1' ? first : second)!
      /** Time passes; the process may die meanwhile, and the clock may be set back. */
      const rounds = async (): Promise<void> => {
        for (let round = 0; round < 2; round++) {
          await pix.parts.bankCharges.planReadsByName(accountId, [txid], pix.time.nowMs)
          pix.time.nowMs += 10 * MINUTE_MS
          await Promise.all([work(alive()), work(alive())])
        }
      }
      charged.pay(10_000, txid)
      charged.pay(10_000, txid)
      await rounds()
      await refundTwice(pix, code, { alive, steps, rounds })
      const [paid] = charged.charges.get(txid)!.payments
      paid!.refunds.push({ id: 'D1', amountMinor: minorUnits(1_000), state: 'returned' })
      await rounds()
      await expectOneOfEach(pix, await pix.find(reference).then((found) => found!), txid)
      return hasDied()
    }

    async function expectOneOfEach(
      pix: TwoBanks,
      { code, status }: Transaction,
      txid: string,
    ): Promise<void> {
      expect(status).toBe('REFUNDED')
      const { payments } = (await pix.details(code))!
      expect(payments.map(({ purpose }) => purpose).toSorted()).toEqual(['order', 'second-payment'])
      const refunds = (await pix.parts.refunds.findOf([code])).get(code) ?? []
      const states = refunds.map((one) => [one.status, one.amountMinor, one.providerRefundId])
      expect(states.toSorted()).toEqual([
        ['PROCESSED', 1_000, 'D1'],
        ['PROCESSED', 4_000, undefined],
      ])
      const sent = pix.banks.flatMap(({ charges }) =>
        (charges.get(txid)?.payments ?? []).flatMap((payment) => payment.refunds),
      )
      expect(sent.map(({ amountMinor }) => amountMinor as number).toSorted()).toEqual([
        1_000, 10_000, 4_000,
      ])
      const notified = (await notificationsOf(pix.parts.database, code)).map((notification) =>
        notification.refundId === undefined ? notification.status : 'refund',
      )
      expect(notified).toEqual(['COMPLETE', 'REFUNDED', 'refund', 'REFUNDED'])
      const open = pix.banks.flatMap(({ charges }) =>
        [...charges.values()].filter(({ state }) => state === 'open'),
      )
      expect(open).toEqual([])
    }

    it('charges and refunds once, wherever its process ends', async () => {
      const time = { now: (): number => 0 }
      const banks = {
        'bank-1': createFakeBank(() => time.now()),
        'bank-2': createFakeBank(() => time.now()),
      }
      const pix = await openPixGateway(engine, {
        bankOf: ({ id }) => ({ pix: banks[id as keyof typeof banks].bank }),
      })
      onTestFinished(() => pix.close())
      time.now = () => pix.time.nowMs
      await pix.parts.accounts.create(accountOf('bank-2'), ['pix'], 'operator:ana')
      // Every place where the process may end, or a sample.
      const stride = engine.name === 'sqlite' ? 1 : 5
      let steps = 0
      while (await sell({ ...pix, banks: Object.values(banks) }, `order-${steps}`, steps))
        steps += stride
      expect(steps).toBeGreaterThan(20)
    }, 240_000)
  })
}

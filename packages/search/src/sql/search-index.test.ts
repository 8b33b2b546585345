import { type CardChange, DAY_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  APPROVED,
  AUTHORIZED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import type { RefundId } from '../../../gateway/src/model/refund/refund.js'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import {
  capturePayment,
  voidPayment,
} from '../../../gateway/src/payment/capture/authorized-end-service.js'
import { activateWaitingCards } from '../../../gateway/src/payment/card-activation-service.js'
import { applyCardChanges } from '../../../gateway/src/payment/card-return-service.js'
import { claimNotifications, deliver } from '../../../notifications/src/notification-delivery.js'
import { deliveriesOf } from '../../../notifications/src/notifications.fixture.js'
import { askAfterOpenIntents } from '../../../gateway/src/payment/open-intent-service.js'
import { openPixGateway } from '../../../banks/src/payment/pix-bank.fixture.js'
import { readCharges } from '../../../banks/src/payment/charge-read-service.js'
import { refundSurpluses } from '../../../banks/src/payment/bank-refund-service.js'
import { expireUnpaid } from '../../../gateway/src/payment/expiry-service.js'
import { processRefunds } from '../../../gateway/src/payment/refund-service.js'
import { createPayerData } from '../../../gateway/src/create-payer-data.js'
import { addTerms, deleteTerm, indexPayments, unindexPayers } from './payment-index-sql.js'
import { indexed, indexedFromScratch, readAll } from './search-index.fixture.js'
import { createSqlSearchIndexStore } from './search-index-store-sql.js'
import { FOLLOWED, searchOf } from '../search.fixture.js'
import { ownTables } from './search-tables.js'

const STOPPED = AbortSignal.abort()
const TABLES = [
  'payment_terms',
  'payment_facts',
  'daily_figures',
  'index_requests',
  'notifications',
  'refunds',
  'refund_keys',
  'card_changes',
  'captures',
  'transactions',
  'transaction_keys',
] as const
const amountMinor = minorUnits(10_000)

for (const engine of TEST_ENGINES) {
  describe(`the index of payments on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    beforeAll(async () => {
      const clock = { now: () => nowMs }
      test = await openTestGateway(engine, {
        ...FOLLOWED,
        clock,
        machineClock: clock,
        purchaseLimits: { perTransactionMinor: minorUnits(100_000), perPeriodMinor: undefined },
      })
      await test.gateway.saveMerchant({ ...MERCHANT, payerDeclines: 0, binDeclines: 0 })
    })
    afterAll(() => test.close())
    beforeEach(async () => {
      nowMs = NOW_MS
      test.answerCards(() => Promise.resolve(APPROVED))
      await test.database.transact(async (unit) => {
        const trx = ownTables(unit)
        for (const table of TABLES) await trx.deleteFrom(table).execute()
        await trx.updateTable('index_progress').set({ position: 0 }).execute()
      })
      await read()
    })

    const read = async (laterMs = 0): Promise<void> => {
      nowMs += laterMs
      await readAll(test.database, nowMs)
    }
    const buy = async (body: object): Promise<TransactionCode> => {
      const { json } = await test.send('POST', '/transactions', { body })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    const move = (code: number, to: 'COMPLETE' | 'CANCELLED' | 'CHARGEBACK') =>
      test.gateway.desk.changes.changeStatus(code as TransactionCode, to)
    const refund = async (code: number, over: object = {}): Promise<RefundId> => {
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds', ...over }
      const { json } = await test.send('POST', '/refunds', { body })
      return Number(json['refund-id']) as RefundId
    }
    const termsOf = async (code: number) => {
      const { reader } = test.database
      const rows = await reader
        .selectFrom('payment_terms')
        .select(['kind', 'term'])
        .where('code', '=', code)
        .execute()
      return rows.map(({ kind, term }) => `${kind} ${term}`).toSorted()
    }

    it('has what a payment is searched for, within seconds', async () => {
      const code = await buy(cardRequest('Pedido-1000.A'))
      await read(2 * SECOND_MS)
      expect(await termsOf(code)).toEqual([
        'account adyen-1',
        'amount 000000010000',
        'brand visa',
        'document 52998224725',
        'email maria@example.com',
        'last-four 1111',
        'method credit-card',
        'name da',
        'name maria',
        'name silva',
        'provider 662000',
        'reference 1000',
        'reference pedido',
        'reference pedido-1000.a',
        'status COMPLETE',
      ])
      const { reader } = test.database
      expect(
        await ownTables(reader).selectFrom('daily_figures').selectAll().orderBy('figure').execute(),
      ).toMatchObject([
        { figure: 'approved', detail: 'visa', count: 1, amount: 10_000 },
        { figure: 'created', method: 'credit-card', count: 1 },
        { figure: 'notified', account_id: 'adyen-1', count: 1, amount: 0 },
        { figure: 'paid', count: 1, amount: 10_000 },
      ])
    })

    it('counts authorized money apart, to the cent, until it is captured or released', async () => {
      const sums = async () => {
        await read(2 * SECOND_MS)
        const { reader } = test.database
        const rows = await ownTables(reader)
          .selectFrom('daily_figures')
          .select(['figure', 'count', 'amount'])
          .where('figure', 'in', ['authorized', 'approved', 'paid'])
          .where('count', '>', 0)
          .execute()
        return Object.fromEntries(rows.map(({ figure, ...sum }) => [figure, Object.values(sum)]))
      }
      const authorize = async (reference: string, amount: number) => {
        test.answerCards(() => Promise.resolve(AUTHORIZED))
        const { charge, cart, ...body } = cardRequest(reference, { capture: false })
        const code = await buy({
          ...body,
          charge: charge.map((one) => ({ ...one, amount })),
          cart: cart.map((item) => ({ ...item, quantity: 1, 'unit-price': amount })),
        })
        return (await test.parts.transactions.findByCode(code)) ?? expect.fail('no payment')
      }
      const [one, two] = [await authorize('order-1', 10.01), await authorize('order-2', 20.02)]
      expect(await sums()).toEqual({ authorized: [2, 3003], approved: [2, 3003] })
      const order = { amountMinor: minorUnits(333), orderedBy: 'store' }
      test.endAuthorized(() => Promise.resolve({ kind: 'in_process' }))
      expect(await capturePayment(test.parts, one, order)).toEqual({ kind: 'in-process' })
      expect(await sums()).toEqual({ authorized: [2, 3003], approved: [2, 3003] })
      test.endAuthorized(() => Promise.resolve({ kind: 'done' }))
      expect(await capturePayment(test.parts, one, order)).toEqual({ kind: 'captured' })
      expect(await sums()).toEqual({
        authorized: [1, 2002],
        approved: [2, 3003],
        paid: [1, 333],
      })
      expect(await voidPayment(test.parts, two, 'store')).toEqual({ kind: 'released' })
      expect(await sums()).toEqual({ approved: [2, 3003], paid: [1, 333] })
      await move(one.code, 'CHARGEBACK')
      expect(await sums()).toMatchObject({ approved: [2, 3003] })
      expect(await indexed(test.database)).toEqual(await indexedFromScratch(test.database, nowMs))
    })

    it('hears of every change that a payment goes through', async () => {
      const news = async (...changes: CardChange['change'][]): Promise<void> => {
        for (const change of changes) {
          const id = `change-${nowMs}-${change.kind}`
          test.changes.push({ transactionCode: String(card), id, atMs: nowMs, change })
        }
        await applyCardChanges(test.parts, STOPPED)
        expect(test.changes).toEqual([])
      }
      let card = 0
      let boleto = 0
      let id = 0 as RefundId
      const steps: (() => Promise<unknown>)[] = [
        async () => (card = await buy(cardRequest('card-1'))),
        async () => (id = await refund(card, { amount: 10 })),
        () => processRefunds(test.parts),
        () => test.parts.refunds.finish(id, 'PROCESSED', nowMs),
        () =>
          news({
            kind: 'refund_ended',
            refundId: String(id),
            outcome: 'REJECTED',
            amountMinor: minorUnits(1000),
          }),
        () =>
          news({
            kind: 'provider_refund',
            providerRefundId: 'P1',
            amountMinor: minorUnits(500),
            outcome: 'PROCESSED',
          }),
        () => news({ kind: 'charged_back', amountMinor }),
        () => news({ kind: 'chargeback_reversed', amountMinor }),
        async () => {
          card = await buy(cardRequest('card-2'))
        },
        () => news({ kind: 'capture_failed' }),
        async () => {
          test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
          await buy(cardRequest('card-3'))
        },
        async () => {
          test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'review' }))
          card = await buy(cardRequest('card-4'))
        },
        () => news({ kind: 'settled', answer: APPROVED }),
        async () => {
          test.answerCards(() => Promise.reject(new Error('connection reset')))
          await test.send('POST', '/transactions', { body: cardRequest('card-5') })
        },
        () => {
          test.recallCards(() => APPROVED)
          nowMs += 10 * MINUTE_MS
          return askAfterOpenIntents(test.parts)
        },
        () => activateWaitingCards(test.parts),
        async () => (boleto = await buy(railRequest('boleto-1', 'boleto'))),
        () => move(boleto, 'COMPLETE'),
        () => buy(railRequest('boleto-2', 'boleto')),
        () => buy(railRequest('pix-1', 'pix')),
        async () => {
          nowMs += 30 * DAY_MS
          await expireUnpaid(test.parts)
        },
        async () => {
          for (const notification of await claimNotifications(deliveriesOf(test.parts), 100))
            await deliver(deliveriesOf(test.parts), notification)
        },
      ]
      for (const [index, step] of steps.entries()) {
        nowMs += SECOND_MS
        await step()
        await read(3 * SECOND_MS)
        // Only the second reading sees the notification that was acknowledged.
        await read(6 * MINUTE_MS)
        const heard = await indexed(test.database)
        expect({ index, ...heard }).toEqual({
          index,
          ...(await indexedFromScratch(test.database, nowMs)),
        })
      }
      expect((await indexed(test.database)).facts).toHaveLength(8)
    })

    it('knows the same whatever it has read before, and how often', async () => {
      const codes: TransactionCode[] = []
      const index = async (...some: readonly number[]): Promise<void> => {
        const time = { nowMs, machineNowMs: nowMs }
        expect(await indexPayments(test.database, some, time)).toBe(true)
      }
      for (const reference of ['order-1', 'order-2', 'order-3', 'order-4'])
        codes.push(await buy(cardRequest(reference)))
      const [first = 0, second = 0, third = 0] = codes
      await index(second, first)
      await index(second)
      await refund(first, { amount: 10 })
      await move(third, 'CHARGEBACK')
      await index(third, first, second)
      await processRefunds(test.parts)
      await move(second, 'CHARGEBACK')
      await index(first)
      await index(first, third)
      await read(MINUTE_MS)
      const known = await indexed(test.database)
      expect(known.facts).toHaveLength(4)
      expect(known).toEqual(await indexedFromScratch(test.database, nowMs))
    })

    it('finds a payment that was committed after a later one', async () => {
      const late = await buy(cardRequest('order-1'))
      const { reader } = test.database
      const all = await reader.selectFrom('transactions').selectAll().execute()
      const notifications = await reader.selectFrom('notifications').selectAll().execute()
      await test.database.transact(async (trx) => {
        await trx.deleteFrom('notifications').execute()
        await trx.deleteFrom('transactions').execute()
      })
      nowMs += SECOND_MS
      await buy(cardRequest('order-2'))
      await read(MINUTE_MS)
      await test.database.transact(async (trx) => {
        await trx.insertInto('transactions').values(all).execute()
        await trx.insertInto('notifications').values(notifications).execute()
      })
      await read(MINUTE_MS)
      expect(await termsOf(late)).toEqual([])
      await read(5 * MINUTE_MS)
      expect(await termsOf(late)).toContain('email maria@example.com')
      expect(await indexed(test.database)).toEqual(await indexedFromScratch(test.database, nowMs))
    })

    it('has no payment that is withdrawn, and has it once it is settled', async () => {
      let answer: (() => void) | undefined
      test.answerCards(
        () =>
          new Promise((resolve) => {
            answer = () => {
              resolve(APPROVED)
            }
          }),
      )
      const asked = buy(cardRequest('order-1'))
      while (answer === undefined) await new Promise(setImmediate)
      await read(2 * SECOND_MS)
      expect((await indexed(test.database)).terms).toEqual([])
      answer()
      const code = await asked
      await read(3 * SECOND_MS)
      expect(await termsOf(code)).toContain('status COMPLETE')
      await test.database.transact(async (trx) => {
        await trx.deleteFrom('notifications').execute()
        await trx.deleteFrom('transactions').execute()
      })
      await indexPayments(test.database, [code], { nowMs, machineNowMs: nowMs })
      expect(await indexed(test.database)).toEqual({ terms: [], facts: [], figures: [] })
    })

    it('has nothing of a payer once it is erased, and the payment still', async () => {
      const code = await buy(railRequest('order-1', 'boleto'))
      await move(code, 'CANCELLED')
      await read(2 * SECOND_MS)
      const known = await termsOf(code)
      nowMs += 31 * DAY_MS
      const note = { actor: 'person:1', reason: 'other', note: 'Maria has moved' } as const
      await test.database.transact((trx) =>
        trx
          .insertInto('refund_notes')
          .values({ refund_id: 1, transaction_code: code, merchant_id: MERCHANT.id, ...note })
          .execute(),
      )
      expect(await createPayerData(test.database, [unindexPayers]).erase([code], nowMs)).toEqual([
        code,
      ])
      const left = await termsOf(code)
      expect(
        known.filter((term) => !left.includes(term)).map((term) => term.split(' ')[0]),
      ).toEqual(['document', 'email', 'line', 'name', 'name', 'name'])
      expect(left).toContain('reference order-1')
      const { facts } = await indexed(test.database)
      expect(JSON.stringify(facts)).not.toMatch(/maria|52998224725/)
      expect(await test.database.reader.selectFrom('refund_notes').selectAll().execute()).toEqual([
        expect.objectContaining({ refund_id: 1, note: '' }),
      ])
      const kept = await indexed(test.database)
      expect(await indexedFromScratch(test.database, nowMs)).toEqual(kept)
    })

    it('is empty again once test data is deleted, and so are the figures', async () => {
      await buy(cardRequest('order-1'))
      await buy(railRequest('order-2', 'pix'))
      await read(2 * SECOND_MS)
      await test.parts.transactions.deleteAnswered(MERCHANT.id)
      expect(await indexed(test.database)).toEqual({ terms: [], facts: [], figures: [] })
    })

    it('reports its age', async () => {
      const { payments } = searchOf(test)
      expect(await payments.indexAgeMs()).toBe(0)
      await buy(cardRequest('order-1'))
      nowMs += MINUTE_MS
      expect(await payments.indexAgeMs()).toBe(MINUTE_MS)
      await read()
      expect(await payments.indexAgeMs()).toBe(0)
    })

    it('reports its age to the pausing caller, and skips a known payment', async () => {
      const index = createSqlSearchIndexStore(test.database)
      const ages: number[] = []
      const round = () =>
        index.round({ nowMs, machineNowMs: nowMs }, (ageMs) => {
          ages.push(ageMs)
          return Promise.resolve()
        })
      await buy(cardRequest('order-1'))
      nowMs += MINUTE_MS
      while (await round());
      expect(ages).toEqual([MINUTE_MS])
      await test.database.transact((trx) =>
        ownTables(trx)
          .updateTable('index_progress')
          .set({ position: 1 })
          .where('name', '=', 'new')
          .execute(),
      )
      expect(await searchOf(test).payments.indexAgeMs()).toBe(0)
      while (await round());
      expect(ages).toHaveLength(1)
    })

    it.each(['"\\', '00012', 'null', '[1]', '😀', 'half \ud800'])(
      'keeps a term that is %j, and takes it out again',
      async (term) => {
        const row = { merchant_id: MERCHANT.id, kind: 'provider', term, code: 1 } as const
        await test.database.transact((trx) => addTerms(trx, [row, { ...row, term: 'other' }]))
        expect(await termsOf(1)).toEqual(
          [`provider ${term.toWellFormed()}`, 'provider other'].toSorted(),
        )
        await test.database.transact((trx) => trx.run(deleteTerm(row)))
        expect(await termsOf(1)).toEqual(['provider other'])
      },
    )

    it('is written by one worker at a time', async () => {
      const codes = [await buy(cardRequest('order-1')), await buy(cardRequest('order-2'))]
      nowMs += 2 * SECOND_MS
      await Promise.all([read(), read(), read(), read()])
      await read()
      expect((await indexed(test.database)).facts.map(({ code }) => code)).toEqual(
        codes.toSorted((one, other) => one - other),
      )
      expect(await indexed(test.database)).toEqual(await indexedFromScratch(test.database, nowMs))
    })

    it('reads what was asked of it before the clock was set back', async () => {
      const code = await buy(cardRequest('order-1'))
      await read(2 * SECOND_MS)
      const requests = () => test.database.reader.selectFrom('index_requests').selectAll().execute()
      await test.database.transact((trx) =>
        trx
          .insertInto('index_requests')
          .values({ code, next_at: nowMs + DAY_MS })
          .execute(),
      )
      await read()
      expect(await requests()).toEqual([])
    })

    it('begins anew where a clock was set back', async () => {
      await buy(cardRequest('order-1'))
      await read(DAY_MS)
      nowMs -= 2 * DAY_MS
      const code = await buy(cardRequest('order-2'))
      await read(2 * SECOND_MS)
      expect(await termsOf(code)).toContain('reference order-2')
    })
  })

  describe(`the index of PIX at banks on ${engine.name}`, () => {
    it('hears of every change that a payment goes through', async () => {
      const { bank, create, find, parts, test, time } = await openPixGateway(engine, FOLLOWED)
      onTestFinished(() => test.close())
      await readAll(test.database, time.nowMs)
      const look = async (): Promise<void> => {
        await test.gateway.noticeOf('bank-1', [bank.txid])
        await readCharges(parts)
      }
      const steps: (() => unknown)[] = [
        () => create('order-1'),
        () => bank.pay(),
        look,
        () => bank.pay(),
        look,
        () => refundSurpluses(parts),
        async () => {
          const [payment] = bank.charges.get(bank.txid)?.payments ?? []
          payment?.refunds.push({ id: 'D1', amountMinor: minorUnits(100), state: 'returned' })
          await look()
        },
        () => create('order-2'),
      ]
      for (const [index, step] of steps.entries()) {
        time.nowMs += MINUTE_MS
        await step()
        time.nowMs += MINUTE_MS
        await readAll(test.database, time.nowMs)
        const heard = await indexed(test.database)
        expect({ index, ...heard }).toEqual({
          index,
          ...(await indexedFromScratch(test.database, time.nowMs)),
        })
      }
      expect((await find('order-1'))?.status).toBe('REFUNDED')
      expect((await indexed(test.database)).facts).toHaveLength(2)
    })
  })
}

import { DAY_MS, HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentOrder, ShownTry } from './model/payment-page.js'
import { payLink } from './link-payment.js'
import { pollLinkTries } from './open-tries.js'
import { type PixLinkGateway, linkPartsOn, openPixLinks } from './links.fixture.js'
import { linkRequest, makeLink, orderOf, tryOf } from './payment-link.fixture.js'
import type { TransactionCode } from '../../gateway/src/model/transaction/transaction.js'
import { createGatewayCore, withUseCases } from '../../gateway/src/create-gateway.js'
import {
  APPROVED,
  MERCHANT,
  TEST_RAILS,
  TEST_SECRET_KEY,
} from '../../gateway/src/gateway.fixture.js'
import { withBankParts } from '../../banks/src/banks.fixture.js'
import { cancelWaiting } from '../../gateway/src/payment/cancellation-service.js'
import { readCharges } from '../../banks/src/payment/charge-read-service.js'
import { refundSurpluses } from '../../banks/src/payment/bank-refund-service.js'
import { expireUnpaid } from '../../gateway/src/payment/expiry-service.js'
import { notificationsOf } from '../../gateway/src/ledger/transaction/notifications.fixture.js'

const METHODS = ['credit-card', 'pix', 'boleto', 'pagseguro'] as const

for (const engine of TEST_ENGINES) {
  describe(`the payment page on ${engine.name}`, () => {
    let test: PixLinkGateway
    let links = 0
    beforeAll(async () => {
      test = await openPixLinks(engine, {
        purchaseLimits: { perTransactionMinor: minorUnits(1_000_000), perPeriodMinor: undefined },
      })
    })
    afterAll(() => test.close())
    beforeEach(() => {
      test.answerCards(() => Promise.resolve(APPROVED))
    })

    /** The code of a new link. */
    const link = async (over: Record<string, unknown> = {}): Promise<string> =>
      (await makeLink(test, linkRequest(`link-${++links}`, over))).code
    const many = (over: Record<string, unknown> = {}) => link({ usage: 'many', ...over })
    const pay = (of: string, order: PaymentOrder) => test.room.paymentPage.pay(of, order)
    const show = async (of: string, tryId: string): Promise<ShownTry> =>
      (await test.room.paymentPage.findTry(of, tryId))!
    const find = async (of: string) => (await test.room.paymentPage.find(of))!
    /** Pays, and returns the try. */
    const tried = async (of: string, order: PaymentOrder): Promise<ShownTry> =>
      await show(of, tryOf(await pay(of, order)))
    const tries = async (of: string) =>
      (await test.room.paymentLinks.find(MERCHANT.id, of))!.tries.toReversed()
    const states = async (of: string) =>
      await Promise.all(
        (await tries(of)).map(async ({ linkTry }) => (await show(of, linkTry.id)).state),
      )
    /** Repeats the rounds, because each is limited and the tries of all tests are due. */
    const look = async (): Promise<void> => {
      for (let round = 0; round < 10; round++) await pollLinkTries(test.linkParts)
    }
    const decline = (): void => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
    }

    describe('shows', () => {
      it('a link without anything of the store’s own', async () => {
        const of = await link({ installments: 3, 'success-url': 'https://shop.example/thanks' })
        expect(await find(of)).toEqual({
          id: of,
          storeId: MERCHANT.id,
          isCapturedLater: false,
          storeName: MERCHANT.name,
          description: 'Café',
          amountMinor: 10_000,
          methods: [...METHODS],
          installments: [
            { quantity: 1, totalMinor: 10_000, installmentMinor: 10_000, interestFree: true },
            expect.objectContaining({ quantity: 2 }),
            expect.objectContaining({ quantity: 3 }),
          ],
          state: 'payable',
          expiresAtMs: undefined,
          language: 'pt-BR',
          successUrl: 'https://shop.example/thanks',
          isUsedOnce: true,
          openTry: undefined,
        })
      })

      it.each([['x'], [''], ['\0'.repeat(22)], ['A'.repeat(22)], [`${'A'.repeat(21)}'`]])(
        'nothing at the address %j',
        async (id) => {
          const of = await link()
          const { paymentPage } = test.room
          expect(await paymentPage.find(id)).toBeUndefined()
          expect(await paymentPage.findTry(of, id)).toBeUndefined()
          expect(await paymentPage.findTry(id, of)).toBeUndefined()
          expect(await pay(id, orderOf('pix'))).toEqual({ kind: 'not-found' })
        },
      )

      it('no try at the address of another link', async () => {
        const [one, other] = [await link(), await link()]
        const id = tryOf(await pay(one, orderOf('pix')))
        expect(await test.room.paymentPage.findTry(other, id)).toBeUndefined()
      })
    })

    describe('pays', () => {
      it('by card, and is paid then', async () => {
        const of = await link()
        const order = orderOf('credit-card', { card: { token: 'a.b.c.d.e', installments: 3 } })
        const shown = await tried(of, order)
        const { reference } = (await test.room.paymentLinks.find(MERCHANT.id, of))!.link
        expect(shown).toMatchObject({
          state: 'paid',
          method: 'credit-card',
          reference: `${reference}-1`,
          amountMinor: 10_000,
          installments: 3,
        })
        expect(shown.chargedMinor).toBeGreaterThan(10_000)
        expect(test.orders.at(-1)).toMatchObject({
          amountMinor: shown.chargedMinor,
          installments: 3,
          payer: { name: 'Maria da Silva', document: '52998224725', ip: '203.0.113.7' },
          isFromLink: true,
        })
        expect(await find(of)).toMatchObject({ state: 'paid' })
        expect(await pay(of, orderOf('pix'))).toEqual({ kind: 'not-payable', state: 'paid' })
      })

      it.each([
        ['pix', 'pix'],
        ['boleto', 'boleto'],
        ['pagseguro', 'wallet'],
      ])('by %s, and waits', async (method, kind) => {
        const of = await link()
        const shown = await tried(of, orderOf(method))
        expect(shown).toMatchObject({ state: 'waiting', method, details: { kind } })
        expect(await find(of)).toMatchObject({
          state: 'payable',
          openTry: { id: shown.id, method, state: 'waiting' },
        })
      })

      it('with a transaction as any other: searched, notified, of one service', async () => {
        const of = await link()
        const { code, reference } = await tried(of, orderOf('credit-card'))
        const { json } = await test.send('GET', `/transactions?reference=${reference}`)
        expect(json).toMatchObject({
          'transaction-result': {
            transactions: [
              {
                'transaction-code': code,
                'order-id': reference,
                'order-description': 'Café',
                amount: '100.00',
                'notify-url': 'https://shop.example/notifications',
                'customer-email': 'maria@example.com',
              },
            ],
          },
        })
        const paid = (await test.parts.transactions.find(
          MERCHANT.id,
          Number(code) as TransactionCode,
        ))!
        expect(await notificationsOf(test.parts.database, paid.code)).toMatchObject([
          { status: 'COMPLETE', url: 'https://shop.example/notifications' },
        ])
        const { cart } = JSON.parse(paid.requestJson) as { cart: unknown }
        expect(cart).toEqual([
          {
            quantity: 1,
            description: 'Café',
            'unit-price': { digits: '10000', scale: 2 },
            type: 'service',
          },
        ])
      })

      it('sends a wallet’s payer back to the try', async () => {
        const of = await link()
        const { id, details } = await tried(of, orderOf('pagseguro'))
        const url = `https://api.example.com/pay/link/${id}`
        expect(details).toMatchObject({ successUrl: url, failUrl: url })
      })

      it('after a declined card by another one', async () => {
        const of = await link()
        decline()
        expect(await tried(of, orderOf('credit-card'))).toMatchObject({ state: 'declined' })
        expect(await find(of)).toMatchObject({ state: 'payable', openTry: undefined })
        test.answerCards(() => Promise.resolve(APPROVED))
        expect(await tried(of, orderOf('credit-card'))).toMatchObject({ state: 'paid' })
        expect(await states(of)).toEqual(['declined', 'paid'])
      })

      it('any number of times, where it may', async () => {
        const of = await many()
        for (let i = 0; i < 3; i++)
          expect(await tried(of, orderOf('credit-card'))).toMatchObject({ state: 'paid' })
        expect(await tried(of, orderOf('pix'))).toMatchObject({ state: 'waiting' })
        expect(await find(of)).toMatchObject({ state: 'payable', openTry: undefined })
        const references = (await tries(of)).map(({ linkTry }) => linkTry.reference)
        expect(references.map((reference) => reference.split('-').at(-1))).toEqual([
          '1',
          '2',
          '3',
          '4',
        ])
      })

      it('under a reference of its own, whatever the store has used of them', async () => {
        const reference = `link-${++links}`
        const { code: of } = await makeLink(test, linkRequest(reference, { usage: 'many' }))
        for (const used of [1, 2, 3, 6]) await test.create(`${reference}-${used}`)
        for (const next of [4, 5, 12])
          expect(await tried(of, orderOf('credit-card'))).toMatchObject({
            reference: `${reference}-${next}`,
            state: 'paid',
          })
        const { items } = await test.room.paymentLinks.list(MERCHANT.id, { limit: 100 })
        const listed = items.find((one) => one.link.id === of)
        expect(listed).toMatchObject({ tries: 3, paid: 3 })
      })
    })

    describe('of one form', () => {
      it('opens one try, however often and at once it is sent', async () => {
        const of = await many()
        const order = orderOf('credit-card')
        const before = test.orders.length
        const results = await Promise.all(Array.from({ length: 8 }, () => pay(of, order)))
        expect(new Set(results.map(tryOf)).size).toBe(1)
        expect(await pay(of, order)).toEqual(results[0])
        expect(test.orders.length - before).toBe(1)
      })

      it('opens one after the link is revoked, too: the one it had', async () => {
        const of = await link()
        const order = orderOf('pix')
        const first = await pay(of, order)
        await test.room.paymentLinks.revoke(MERCHANT.id, of, 'person:per_ana')
        expect(await pay(of, order)).toEqual(first)
        expect(await pay(of, orderOf('pix'))).toEqual({ kind: 'not-payable', state: 'revoked' })
      })

      it('finds its try after a crash, which ends unasked', async () => {
        const of = await link()
        const order = orderOf('pix')
        const core = createGatewayCore({
          ...test.parts,
          secretKeys: [TEST_SECRET_KEY],
          intentRemovals: [],
          database: {
            ...test.database,
            commit: () => Promise.reject(new Error('killed')),
          },
        })
        const parts = withUseCases(core)
        await expect(payLink(linkPartsOn(parts), of, order)).rejects.toThrow('killed')
        const id = tryOf(await pay(of, order))
        expect(await show(of, id)).toMatchObject({ state: 'asking', code: '' })
        expect(await pay(of, orderOf('pix'))).toEqual({ kind: 'busy' })
        test.time.nowMs += 3 * MINUTE_MS
        await look()
        expect(await show(of, id)).toMatchObject({ state: 'not-asked' })
        expect(await pay(of, order)).toEqual({ kind: 'try', tryId: id })
        expect(await tried(of, orderOf('pix'))).toMatchObject({ state: 'waiting' })
      })

      it('requests nothing once it is abandoned', async () => {
        const of = await link()
        let resume = (): void => undefined
        const stalled = new Promise<void>((resolve) => {
          resume = resolve
        })
        const { accounts } = test.parts
        const slow = withBankParts(test.parts, {
          accounts: {
            ...accounts,
            enabledRoute: async (...of: Parameters<typeof accounts.enabledRoute>) => {
              await stalled
              return await accounts.enabledRoute(...of)
            },
          },
        })
        const late = payLink(linkPartsOn(slow), of, orderOf('pix'))
        await expect.poll(async () => (await tries(of)).length).toBe(1)
        test.time.nowMs += 3 * MINUTE_MS
        const next = await tried(of, orderOf('pix'))
        expect(next).toMatchObject({ state: 'waiting' })
        resume()
        expect(await late).toEqual({ kind: 'unavailable' })
        expect(await states(of)).toEqual(['not-asked', 'waiting'])
      })
    })

    describe('used once', () => {
      it('cancels the open PIX at its bank before it opens anything else', async () => {
        const of = await link()
        const first = await tried(of, orderOf('pix'))
        const { txid } = test.bank
        const calls = test.bank.calls.length
        expect(await tried(of, orderOf('credit-card'))).toMatchObject({ state: 'paid' })
        expect(test.bank.calls.slice(calls)).toEqual(['removeCharge'])
        expect(await show(of, first.id)).toMatchObject({ state: 'cancelled' })
        // Money that arrives anyway belongs to no order.
        test.bank.pay(10_000, txid)
        test.time.nowMs += HOUR_MS
        await test.parts.bankCharges.planReadsByName('bank-1', [txid], test.time.nowMs)
        await readCharges(test.parts)
        await refundSurpluses(test.parts)
        expect(await test.details(Number(first.code) as TransactionCode)).toMatchObject({
          payments: [{ purpose: 'after-the-end' }],
        })
        expect(await states(of)).toEqual(['cancelled', 'paid'])
        expect(test.bank.refundedMinor()).toBe(10_000)
      })

      it.each(METHODS.slice(1).flatMap((one) => METHODS.map((other) => [one, other] as const)))(
        'cancels %s for %s',
        async (one, other) => {
          const of = await link()
          await pay(of, orderOf(one))
          const { state } = await tried(of, orderOf(other))
          expect(await states(of)).toEqual(['cancelled', state])
        },
      )

      it('opens nothing if the bank does not confirm the removal of the code', async () => {
        const of = await link()
        const { id } = await tried(of, orderOf('pix'))
        test.bank.disturb('removeCharge', 'cut-before')
        const order = orderOf('credit-card')
        expect(await pay(of, order)).toEqual({ kind: 'not-cancelled' })
        expect(await find(of)).toMatchObject({ state: 'payable', openTry: { id } })
        expect(await tried(of, order)).toMatchObject({ state: 'paid' })
      })

      it('is paid if the money arrived meanwhile', async () => {
        const of = await link()
        const { id } = await tried(of, orderOf('pix'))
        test.bank.pay()
        expect(await pay(of, orderOf('credit-card'))).toEqual({
          kind: 'not-payable',
          state: 'paid',
        })
        expect(await show(of, id)).toMatchObject({ state: 'paid' })
        expect(await find(of)).toMatchObject({ state: 'paid', openTry: undefined })
      })

      it.each([
        ['is asked', 'unknown'],
        ['is reviewed', 'review'],
      ] as const)('is busy while a card %s', async (_, outcome) => {
        const of = await link()
        test.answerCards(() => Promise.resolve({ ...APPROVED, outcome }))
        expect(await tried(of, orderOf('credit-card'))).toMatchObject({ state: 'under-review' })
        for (const method of METHODS)
          expect(await pay(of, orderOf(method))).toEqual({ kind: 'busy' })
      })

      it('has one try open, however many methods are chosen at once', async () => {
        for (let round = 0; round < 4; round++) {
          const of = await link()
          if (round % 2 === 1) await pay(of, orderOf('pix'))
          await Promise.all(
            [...METHODS, ...METHODS].map((method, i) =>
              pay(of, orderOf(method, { address: `203.0.113.${i}` })),
            ),
          )
          const found = await states(of)
          const live = found.filter(
            (state) => !['cancelled', 'not-asked', 'declined'].includes(state),
          )
          expect(live).toHaveLength(1)
        }
      })

      it('stays paid when the money goes back', async () => {
        const of = await link()
        const { code } = await tried(of, orderOf('credit-card'))
        for (const to of ['REFUNDED', 'CHARGEBACK'] as const) {
          await test.gateway.desk.changes.changeStatus(Number(code) as TransactionCode, to)
          expect(await find(of)).toMatchObject({ state: 'paid' })
        }
      })
    })

    describe('ends', () => {
      it('a revoked link’s codes at the bank, however long it does not answer', async () => {
        // Processes links that earlier tests have revoked before this outage.
        await look()
        const of = await many()
        const pix = await tried(of, orderOf('pix'))
        const boleto = await tried(of, orderOf('boleto'))
        test.bank.disturb('removeCharge', 'unavailable')
        await test.room.paymentLinks.revoke(MERCHANT.id, of, 'person:per_ana')
        await look()
        expect(await states(of)).toEqual(['waiting', 'cancelled'])
        test.time.nowMs += 10 * MINUTE_MS
        await look()
        expect(await show(of, pix.id)).toMatchObject({ state: 'cancelled' })
        expect(await show(of, boleto.id)).toMatchObject({ state: 'cancelled' })
      })

      it('no code of a link that expires: it is paid to its own end', async () => {
        const expiresAt = new Date(test.time.nowMs + HOUR_MS).toISOString()
        const of = await link({ 'expires-at': expiresAt })
        const { id } = await tried(of, orderOf('pix'))
        test.time.nowMs += HOUR_MS
        expect(await pay(of, orderOf('pix'))).toEqual({ kind: 'not-payable', state: 'expired' })
        await look()
        expect(await show(of, id)).toMatchObject({ state: 'waiting' })
        test.bank.pay()
        await test.parts.bankCharges.planReadsByName('bank-1', [test.bank.txid], test.time.nowMs)
        await readCharges(test.parts)
        expect(await show(of, id)).toMatchObject({ state: 'paid' })
        expect(await find(of)).toMatchObject({ state: 'paid' })
      })

      it('an unpaid boleto, and opens the next', async () => {
        const of = await link()
        await pay(of, orderOf('boleto'))
        test.time.nowMs += 30 * DAY_MS
        await expireUnpaid(test.parts)
        expect(await states(of)).toEqual(['expired'])
        expect(await tried(of, orderOf('boleto'))).toMatchObject({ state: 'waiting' })
      })

      it('every link of a store that is disabled', async () => {
        const of = await link()
        await test.gateway.saveMerchant({ ...MERCHANT, enabled: false })
        expect(await find(of)).toMatchObject({ state: 'revoked' })
        expect(await pay(of, orderOf('pix'))).toEqual({ kind: 'not-payable', state: 'revoked' })
        await test.gateway.saveMerchant(MERCHANT)
      })
    })

    describe('against card testing', () => {
      it('accepts five cards an hour from an address, races included', async () => {
        const of = await many()
        decline()
        const before = test.orders.length
        const orders = Array.from({ length: 9 }, (_, i) =>
          // One home, many addresses.
          orderOf('credit-card', { address: `2001:db8:0:1::${i}` }),
        )
        const results = await Promise.all(orders.map((order) => pay(of, order)))
        expect(results.filter(({ kind }) => kind === 'try')).toHaveLength(5)
        expect(results.filter(({ kind }) => kind === 'too-many-tries')).toHaveLength(4)
        expect(test.orders.length - before).toBe(5)
        const again = (address: string) => pay(of, orderOf('credit-card', { address }))
        expect(await again('2001:db8:0:1::ffff')).toEqual({ kind: 'too-many-tries' })
        expect((await again('2001:db8:0:2::1')).kind).toBe('try')
        expect((await pay(await many(), orderOf('credit-card'))).kind).toBe('try')
        test.time.nowMs += HOUR_MS
        expect((await again('2001:db8:0:1::ffff')).kind).toBe('try')
      })

      it('lets three charges of an address wait, races included', async () => {
        const of = await many()
        const order = () => orderOf('pix', { address: '198.51.100.1' })
        const results = await Promise.all(Array.from({ length: 6 }, () => pay(of, order())))
        expect(results.filter(({ kind }) => kind === 'try')).toHaveLength(3)
        expect(await pay(of, orderOf('boleto', { address: '198.51.100.1' }))).toEqual({
          kind: 'too-many-open',
        })
        expect((await pay(of, orderOf('pix', { address: '198.51.100.2' }))).kind).toBe('try')
        test.bank.pay(10_000, test.bank.txid)
        const [first] = await tries(of)
        await cancelWaiting(test.parts, first!.transaction!)
        expect((await pay(of, order())).kind).toBe('try')
      })

      it('counts before anything is asked, and cancels nothing for a try too many', async () => {
        const of = await link()
        decline()
        for (let i = 0; i < 5; i++) await pay(of, orderOf('credit-card'))
        const { id } = await tried(of, orderOf('pix'))
        expect(await pay(of, orderOf('credit-card'))).toEqual({ kind: 'too-many-tries' })
        expect(await show(of, id)).toMatchObject({ state: 'waiting' })
      })

      it('also obeys the store’s own limits', async () => {
        const of = await many()
        await test.gateway.saveMerchant({ ...MERCHANT, payerDeclines: 1 })
        decline()
        await pay(of, orderOf('credit-card'))
        expect(await pay(of, orderOf('credit-card'))).toEqual({
          kind: 'refused',
          name: 'payer_blacklisted',
        })
        await test.gateway.saveMerchant(MERCHANT)
      })

      it('forgets an address an hour later, once its try has ended', async () => {
        const of = await many()
        const addresses = async () =>
          (
            await test.own.reader
              .selectFrom('payment_link_tries')
              .select('address')
              .where('link_id', '=', of)
              .orderBy('number')
              .execute()
          ).map(({ address }) => address)
        decline()
        await pay(of, orderOf('credit-card', { address: '2001:db8::1' }))
        await pay(of, orderOf('pix', { address: '198.51.100.9' }))
        await look()
        expect(await addresses()).toEqual(['2001:db8:0:0::/64', '198.51.100.9'])
        test.time.nowMs += HOUR_MS
        await look()
        await test.linkParts.tryAddresses.forget(test.time.nowMs)
        expect(await addresses()).toEqual([null, '198.51.100.9'])
        await test.room.paymentLinks.revoke(MERCHANT.id, of, 'api')
        for (let times = 0; times < 2; times++) {
          test.time.nowMs += 10 * MINUTE_MS
          await look()
        }
        await test.linkParts.tryAddresses.forget(test.time.nowMs)
        expect(await addresses()).toEqual([null, null])
      })
    })

    it('has its worker cancel the codes of a revoked link', async () => {
      const of = await link()
      const { id } = await tried(of, orderOf('pix'))
      await test.room.paymentLinks.revoke(MERCHANT.id, of, 'person:per_ana')
      const worker = test.gateway.startWorker(test.room.work)
      await expect.poll(async () => (await show(of, id)).state).toBe('cancelled')
      await worker.stop()
    })

    it('is unavailable while no charge can be opened, and works afterwards', async () => {
      const of = await link()
      const failing = { ...TEST_RAILS, registerBoleto: () => Promise.reject(new Error('down')) }
      expect(
        await payLink(
          linkPartsOn(withBankParts(test.parts, { rails: failing })),
          of,
          orderOf('boleto'),
        ),
      ).toEqual({
        kind: 'unavailable',
      })
      expect(await payLink(test.linkParts, of, orderOf('boleto'))).toMatchObject({
        kind: 'try',
      })
      expect(await states(of)).toEqual(['not-asked', 'waiting'])
    })

    it('shows a PIX whose answer was lost as requested, and is busy until it is known', async () => {
      const of = await link()
      test.bank.disturb('openCharge', 'cut-after')
      test.bank.disturb('findCharge', 'cut-before')
      expect(await tried(of, orderOf('pix'))).toMatchObject({ state: 'asking' })
      expect(await pay(of, orderOf('credit-card'))).toEqual({ kind: 'busy' })
    })
  })
}

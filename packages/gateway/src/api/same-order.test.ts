import { MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../gateway.fixture.js'

type Json = Readonly<Record<string, unknown>>

/** The same value with the members of each object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, turned(member)]),
  )
}

const ORDER = cardRequest('order-1')
const withCharge = (charge: Json, info: Json = {}): Json => {
  const [first] = ORDER.charge
  const paid = { ...first, ...charge, 'payment-info': { ...first?.['payment-info'], ...info } }
  return { ...ORDER, charge: [paid] }
}
const withPayer = (payer: Json): Json => ({ ...ORDER, payer: { ...ORDER.payer, ...payer } })
const withItem = (item: Json): Json => ({ ...ORDER, cart: [{ ...ORDER.cart[0], ...item }] })

const SAME: readonly (readonly [string, unknown])[] = [
  ['its members in another order', turned(ORDER)],
  ['another token', withCharge({}, { token: 'f.g.h.i.j' })],
  ['a saved card instead', withCharge({}, { token: undefined, code: 'A'.repeat(32) })],
  ['a capture at once, as without the field', withCharge({}, { capture: true })],
  ['the amount as a text', withCharge({ amount: '100.00' })],
  ['quantity and price as texts', withItem({ quantity: '2', 'unit-price': '50.0' })],
  ['an empty field and one that is null', withPayer({ ip: '', address: null })],
  [
    'metadata, which the first one lacked',
    { ...ORDER, transaction: { ...ORDER.transaction, metadata: { attempt: '2' } } },
  ],
  ['a field that nobody knows', { ...withPayer({ nickname: 'Mia' }), more: [1] }],
]

const OTHER: readonly (readonly [string, unknown])[] = [
  ['amount', { ...withCharge({ amount: 50 }), cart: [{ ...ORDER.cart[0], 'unit-price': 25 }] }],
  ['installments', withCharge({}, { installments: 2 })],
  ['capture', withCharge({}, { capture: false })],
  ['payer', withPayer({ email: 'other@example.com' })],
  ['document', withPayer({ document: { type: 'CPF', number: '11144477735' } })],
  ['cart', { ...ORDER, cart: [ORDER.cart[0], { ...ORDER.cart[0], 'unit-price': 0 }] }],
]

// No statement here depends on the engine.
for (const engine of TEST_ENGINES.filter(({ name }) => name === 'sqlite'))
  describe('an order that is sent again', () => {
    let test: TestGateway
    let machineNowMs = NOW_MS
    beforeEach(async () => {
      machineNowMs = NOW_MS
      test = await openTestGateway(engine, { machineClock: { now: () => machineNowMs } })
    })
    afterEach(() => test.close())

    const pay = (body: unknown) =>
      test.send('POST', '/transactions', { body, headers: { 'idempotency-key': 'key-1' } })
    /** The process ends before the vault has answered. */
    const dieWhilePaying = async (body: unknown): Promise<void> => {
      test.answerCards(() => new Promise(() => undefined))
      void pay(body)
      await vi.waitUntil(() => test.orders.length > 0, 10_000)
      test.recallCards(() => APPROVED)
      machineNowMs += MINUTE_MS
    }
    const asBy02 = () =>
      test.database.transact(async (trx) => {
        await trx.updateTable('transactions').set({ order_fingerprint: null }).execute()
        await trx.updateTable('idempotency_keys').set({ order_fingerprint: null }).execute()
      })

    it.each(SAME)('is answered as before: %s', async (_, again) => {
      const first = await pay(ORDER)
      expect(await pay(again)).toMatchObject({ status: 201, text: first.text })
      expect(test.orders).toHaveLength(1)
    })

    it.each(SAME)('continues a request that ended unanswered: %s', async (_, again) => {
      await dieWhilePaying(ORDER)
      expect((await pay(again)).status).toBe(201)
      expect(test.orders).toHaveLength(1)
    })

    it.each(OTHER)('is another order with another %s', async (_, other) => {
      await pay(ORDER)
      expect(await pay(other)).toMatchObject({ status: 409, codes: [90012] })
    })

    it.each([
      ['lenient', 'specification', withPayer({ name: 'Maria  da Silva' })],
      ['specification', 'lenient', withPayer({ 'phone-number': '+5541988887777' })],
    ] as const)(
      'continues although its store’s rules have changed: %s, then %s',
      async (before, after, body) => {
        await test.gateway.saveMerchant({ ...MERCHANT, rules: before })
        await dieWhilePaying(body)
        await test.gateway.saveMerchant({ ...MERCHANT, rules: after })
        expect((await pay(body)).status).toBe(201)
        expect(test.orders).toHaveLength(1)
      },
    )

    it('is refused where the rules since refuse it and nothing was begun', async () => {
      const { transactions } = test.parts
      await test.gateway.saveMerchant({ ...MERCHANT, rules: 'lenient' })
      const body = withPayer({ name: 'Maria  da Silva' })
      vi.spyOn(transactions, 'insertIntent').mockRejectedValueOnce(new Error('disk full'))
      expect((await pay(body)).status).toBe(500)
      await test.gateway.saveMerchant({ ...MERCHANT, rules: 'specification' })
      expect(await pay(body)).toMatchObject({ status: 400, codes: [210304] })
      expect(test.orders).toHaveLength(0)
    })

    it('continues what release 0.2 has started, as release 0.2 would', async () => {
      await dieWhilePaying(ORDER)
      await asBy02()
      expect(await pay(turned(ORDER))).toMatchObject({ status: 409, codes: [90012] })
      expect((await pay(ORDER)).status).toBe(201)
      expect(test.orders).toHaveLength(1)
    })

    it('has no digest of a card: what is stored is the same for any', async () => {
      await test.gateway.saveMerchant({ ...MERCHANT, mayUseRawCards: true })
      const stored = async (number: string, cvv: string): Promise<unknown> => {
        const card = { number, cvv, 'expiration-date': '2030-12' }
        const info = { token: undefined, 'credit-card': card }
        const body = { ...withCharge({ currency: 'BRL' }, info), payer: ORDER.payer }
        const item = { ...ORDER.cart[0], description: `Café ${number}` }
        const ip = '203.0.113.9'
        const asked = { ...body, payer: { ...ORDER.payer, ip }, cart: [item] }
        expect((await pay(asked)).status).toBe(201)
        const tables = ['transactions', 'idempotency_keys'] as const
        const found = tables.map((table) =>
          test.database.reader.selectFrom(table).select('order_fingerprint').execute(),
        )
        const fingerprints = await Promise.all(found)
        await test.database.transact(async (trx) => {
          for (const table of ['notifications', ...tables, 'transaction_keys'] as const)
            await trx.deleteFrom(table).execute()
        })
        return fingerprints
      }
      const first = await stored('4111111111111111', '737')
      expect(JSON.stringify(first)).toMatch(/"1\.[\w-]{43}"/)
      expect(await stored('5555444433331111', '123')).toEqual(first)
    })
  })

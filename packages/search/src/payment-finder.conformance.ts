import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PaymentFinder, PaymentQuery } from './model/payment-query.js'

/** An order of the suite; all orders have the same payer. */
export interface SoldOrder {
  readonly reference: string
  readonly method: 'boleto' | 'pix'
  readonly atMs: number
}

/** A store that sells, and the finder of its payments. */
export interface FinderStage {
  readonly finder: PaymentFinder
  readonly storeId: string
  /** A store without sales. */
  readonly otherStoreId: string
  readonly payerDocument: string
  readonly openedAtMs: number
  /** Resolves to the codes of the payments, once a search finds them by every word. */
  sell(orders: readonly SoldOrder[]): Promise<readonly string[]>
}

const METHODS = ['boleto', 'pix', 'boleto', 'pix', 'pix'] as const

/** The rules of every finder of payments: the room's own, and the fake in tests of pages. */
export function describePaymentFinder(name: string, open: () => Promise<FinderStage>): void {
  describe(`a finder of payments: ${name}`, () => {
    let stage: FinderStage
    let orders: readonly SoldOrder[]
    let codes: readonly string[]
    beforeAll(async () => {
      stage = await open()
      orders = METHODS.map((method, index) => ({
        reference: `order-${index + 1}`,
        method,
        atMs: stage.openedAtMs + (index + 1) * MINUTE_MS,
      }))
      codes = await stage.sell(orders)
    })
    const find = (query: PaymentQuery, storeId = stage.storeId) => stage.finder.find(storeId, query)
    const referencesOf = async (query: PaymentQuery) =>
      (await find(query)).items.map(({ transaction }) => transaction.reference)

    it('shows the newest first, page by page, each once', async () => {
      const shown: string[] = []
      let after: string | undefined
      do {
        const { items, next } = await find({ after, limit: 2 })
        expect(items.length).toBeLessThanOrEqual(2)
        shown.push(...items.map(({ transaction }) => transaction.reference))
        after = next
      } while (after !== undefined)
      expect(shown).toEqual(['order-5', 'order-4', 'order-3', 'order-2', 'order-1'])
    })

    it('filters by method, status and time', async () => {
      expect(await referencesOf({ method: 'postpay' })).toEqual(['order-3', 'order-1'])
      expect(await referencesOf({ status: 'COMPLETE' })).toEqual([])
      expect(await referencesOf({ status: 'PENDING', method: 'eft' })).toHaveLength(3)
      const [, second, , fourth] = orders
      const time = { fromMs: second?.atMs, untilMs: fourth?.atMs }
      expect(await referencesOf(time)).toEqual(['order-3', 'order-2'])
    })

    it('filters by reference, amount and payer', async () => {
      expect(await referencesOf({ reference: 'order-4' })).toEqual(['order-4'])
      expect(await referencesOf({ reference: 'order' })).toEqual([])
      expect(await referencesOf({ reference: 'order-4', method: 'postpay' })).toEqual([])
      expect(await referencesOf({ document: '52998224725' })).toHaveLength(orders.length)
      expect(await referencesOf({ document: '39053344705' })).toEqual([])
      expect(await referencesOf({ email: 'MARIA@example.com' })).toHaveLength(orders.length)
      expect(await referencesOf({ email: 'maria@example.com', method: 'eft' })).toHaveLength(3)
      expect(await referencesOf({ amountMinor: minorUnits(1) })).toEqual([])
    })

    it('finds a payment by its code and by its reference', async () => {
      expect(await referencesOf({ text: codes[1] })).toEqual(['order-2'])
      expect(await referencesOf({ text: 'order-4' })).toEqual(['order-4'])
      expect(await referencesOf({ text: 'order-9' })).toEqual([])
    })

    it('searches no card number, and reports that the text is one', async () => {
      const page = await find({ text: '4111 1111 1111 1111' })
      expect(page).toMatchObject({ items: [], isCardNumber: true })
      expect(await find({ text: 'order-1' })).toMatchObject({ isCardNumber: false })
    })

    it('finds a payer with a proof of the payer alone', async () => {
      const { payerDocument: document } = stage
      const payer = (proof: string) => stage.finder.findOfPayer(stage.storeId, { document, proof })
      expect(await payer('order-1')).toHaveLength(orders.length)
      expect(await payer('order-9')).toBeUndefined()
      const wrong = { document: '11144477735', proof: 'order-1' }
      expect(await stage.finder.findOfPayer(stage.storeId, wrong)).toBeUndefined()
    })

    it('gives all of them for a file', async () => {
      const listed: string[] = []
      for await (const { transaction } of stage.finder.all(stage.storeId, { method: 'eft' }))
        listed.push(transaction.reference)
      expect(listed.toSorted()).toEqual(['order-2', 'order-4', 'order-5'])
    })

    it('finds nothing of another store', async () => {
      expect((await find({}, stage.otherStoreId)).items).toEqual([])
      expect((await find({ text: codes[0] }, stage.otherStoreId)).items).toEqual([])
    })
  })
}

import { DAY_MS, HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import { PAYMENT_SORTS, type PaymentQuery } from '../model/payment-query.js'
import { firstCodeAt } from '../../../gateway/src/model/transaction/transaction.js'
import { readAll } from './search-index.fixture.js'
import { FOLLOWED, searchOf } from '../search.fixture.js'

const OTHER = { ...MERCHANT, id: 'store-2' }
const JOANA = { name: 'João D’Ávila Łoś', email: 'Joana@Example.com' }
const COMPANY = { type: 'CNPJ', number: '11222333000181' }

for (const engine of TEST_ENGINES) {
  describe(`the search of payments on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    let codes: Readonly<Record<string, string>> = {}
    beforeAll(async () => {
      const clock = { now: () => nowMs }
      test = await openTestGateway(engine, {
        ...FOLLOWED,
        clock,
        machineClock: clock,
        purchaseLimits: { perTransactionMinor: minorUnits(100_000), perPeriodMinor: undefined },
      })
      for (const merchant of [MERCHANT, OTHER])
        await test.gateway.saveMerchant({ ...merchant, payerDeclines: 0, binDeclines: 0 })
      await buyAll()
      nowMs += HOUR_MS
      await readAll(test.database, nowMs)
    })
    afterAll(() => test.close())

    const buyAll = async (): Promise<void> => {
      const found: Record<string, string> = {}
      const buy = async (reference: string, body: object, merchant = MERCHANT): Promise<void> => {
        nowMs += MINUTE_MS
        const { json } = await test.send('POST', '/transactions', { body, merchant })
        expect(json.errors).toBeUndefined()
        found[reference] = (json.transaction as { code: string }).code
      }
      const byJoana = (body: ReturnType<typeof cardRequest>) => {
        const payer = { ...body.payer, ...JOANA, document: COMPANY }
        return { ...body, payer }
      }
      await buy('Pedido-1000', cardRequest('Pedido-1000'))
      await buy('boleto-1', railRequest('boleto-1', 'boleto', { amount: 42.5 }))
      await buy('pix-1', railRequest('pix-1', 'pix', { amount: 42.5 }))
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
      await buy('declined-1', cardRequest('declined-1'))
      test.answerCards(() =>
        Promise.resolve({ ...APPROVED, card: { brand: 'elo', bin: '636368', lastFour: '4242' } }),
      )
      await buy('joana-1', byJoana(cardRequest('joana-1')))
      await buy('joana-2', byJoana(cardRequest('joana-2')))
      await buy('other', cardRequest('Pedido-1000'), OTHER)
      codes = found
    }
    const find = (query: PaymentQuery) => searchOf(test).payments.find(MERCHANT.id, query)
    const referencesOf = async (query: PaymentQuery) =>
      (await find(query)).items.map(({ transaction }) => transaction.reference)
    const barcode = async () => {
      const { reader } = test.database
      const row = reader.selectFrom('payment_terms').select('term').where('kind', '=', 'line')
      return (await row.executeTakeFirstOrThrow()).term
    }

    it('finds a payment by every known term, and none of another store', async () => {
      const texts: readonly (readonly [text: string | undefined, ...found: string[]])[] = [
        [codes['boleto-1'], 'boleto-1'],
        ['Pedido-1000', 'Pedido-1000'],
        ['pedido', 'Pedido-1000'],
        ['1000', 'Pedido-1000'],
        ['662000', 'joana-2', 'joana-1', 'declined-1', 'Pedido-1000'],
        ['4242', 'joana-2', 'joana-1'],
        ['42,50', 'pix-1', 'boleto-1'],
        ['joana@example.com', 'joana-2', 'joana-1'],
        ['11.222.333/0001-81', 'joana-2', 'joana-1'],
        ['joao avila', 'joana-2', 'joana-1'],
        ['JOÃO D’ÁVILA', 'joana-2', 'joana-1'],
        ['davila', 'joana-2', 'joana-1'],
        ['D’Áv', 'joana-2', 'joana-1'],
        ['dʼávi JOÃ', 'joana-2', 'joana-1'],
        ['joa%'],
        ['joa_'],
        ['los', 'joana-2', 'joana-1'],
        ['ŁOŚ', 'joana-2', 'joana-1'],
        ['joa', 'joana-2', 'joana-1'],
        ['avi joa', 'joana-2', 'joana-1'],
        ['ávi', 'joana-2', 'joana-1'],
        ['jo'],
        ['oao'],
        ['joaz'],
        ['silv mar', 'declined-1', 'pix-1', 'boleto-1', 'Pedido-1000'],
        ['joao da silva'],
        [await barcode(), 'boleto-1'],
        [codes.other],
        ['nothing'],
        ['4111 1111 1111 1111'],
      ]
      for (const [text, ...found] of texts)
        expect([text, ...(await referencesOf({ text }))]).toEqual([text, ...found])
      expect((await find({ text: '4111111111111111' })).isCardNumber).toBe(true)
    })

    it('finds no document for who sees them masked, but with a proof of the same payer', async () => {
      const documents = 'not-searched' as const
      expect(await referencesOf({ text: '11222333000181', documents })).toEqual([])
      const document = '11.222.333/0001-81'
      const ofPayer = async (proof: string, typed = document) => {
        const found = await searchOf(test).payments.findOfPayer(MERCHANT.id, {
          document: typed,
          proof,
        })
        return found?.map(({ transaction }) => transaction.reference)
      }
      for (const proof of ['joana@EXAMPLE.com', 'joana-1', codes['joana-2'] ?? ''])
        expect([proof, await ofPayer(proof)]).toEqual([proof, ['joana-2', 'joana-1']])
      for (const proof of ['Pedido-1000', 'maria@example.com', 'joana', 'João Ávila', '4242', ''])
        expect([proof, await ofPayer(proof)]).toEqual([proof, undefined])
      expect(await ofPayer('joana-1', '529.982.247-25')).toBeUndefined()
      expect(await ofPayer('joana-1', '')).toBeUndefined()
    })

    it('knows the brands and accounts that a store’s payments have', async () => {
      expect(await searchOf(test).payments.choices(MERCHANT.id)).toEqual({
        brands: ['elo', 'visa'],
        accounts: ['adyen-1'],
      })
      expect(await searchOf(test).payments.choices('nobody')).toEqual({ brands: [], accounts: [] })
    })

    it('finds what no worker has read yet by its code and by its reference', async () => {
      nowMs += MINUTE_MS
      const { json } = await test.send('POST', '/transactions', { body: cardRequest('fresh-1') })
      const { code } = json.transaction as { code: string }
      for (const text of [code, 'fresh-1'])
        expect(await referencesOf({ text })).toEqual(['fresh-1'])
      expect((await referencesOf({}))[0]).toBe('fresh-1')
      await test.database.transact(async (trx) => {
        await trx.deleteFrom('notifications').where('transaction_code', '=', Number(code)).execute()
        await trx.deleteFrom('transactions').where('code', '=', Number(code)).execute()
      })
    })

    it('filters by all that is asked for', async () => {
      const filters: readonly (readonly [PaymentQuery, ...string[]])[] = [
        [{ status: 'PENDING' }, 'pix-1', 'boleto-1'],
        [{ status: 'PENDING', method: 'eft' }, 'pix-1'],
        [{ brand: 'visa' }, 'declined-1', 'Pedido-1000'],
        [{ brand: 'visa', status: 'COMPLETE', account: 'adyen-1' }, 'Pedido-1000'],
        [{ text: 'maria', status: 'CANCELLED' }, 'declined-1'],
        [{ text: 'mar', status: 'CANCELLED' }, 'declined-1'],
        [{ text: 'silv mari', untilMs: NOW_MS + 2 * MINUTE_MS }, 'Pedido-1000'],
        [{ text: codes['pix-1'], method: 'postpay' }],
        [{ fromMs: NOW_MS + 5 * MINUTE_MS }, 'joana-2', 'joana-1'],
        [{ text: 'maria', untilMs: NOW_MS + 2 * MINUTE_MS }, 'Pedido-1000'],
        [{ status: 'COMPLETE', fromMs: NOW_MS - DAY_MS, untilMs: NOW_MS }],
      ]
      for (const [query, ...found] of filters)
        expect([query, ...(await referencesOf(query))]).toEqual([query, ...found])
    })

    it.each(PAYMENT_SORTS)('shows each payment once, page by page, the %s first', async (sort) => {
      const byTime = ['Pedido-1000', 'boleto-1', 'pix-1', 'declined-1', 'joana-1', 'joana-2']
      const byAmount = ['boleto-1', 'pix-1', 'Pedido-1000', 'declined-1', 'joana-1', 'joana-2']
      const rising = sort === 'oldest' || sort === 'newest' ? byTime : byAmount
      const all = sort === 'oldest' || sort === 'lowest' ? rising : rising.toReversed()
      const queries: readonly (readonly [PaymentQuery, readonly string[]])[] = [
        [{}, all],
        [{ account: 'adyen-1' }, all.filter((of) => !['boleto-1', 'pix-1'].includes(of))],
        // Names and several kinds of terms match at once.
        [{ text: 'maria' }, all.filter((of) => !of.startsWith('joana'))],
      ]
      for (const [query, expected] of queries) {
        const seen: string[] = []
        let after: string | undefined
        do {
          const page = await find({ ...query, sort, after, limit: 2 })
          expect(page.items.length).toBeGreaterThan(0)
          seen.push(...page.items.map(({ transaction }) => transaction.reference))
          after = page.next
        } while (after !== undefined)
        expect({ query, seen }).toEqual({ query, seen: expected })
      }
    })

    it('returns a payment’s refunded amount, and ignores a wrong cursor', async () => {
      const body = {
        'transaction-id': codes['Pedido-1000'],
        'notify-url': 'https://shop.example/refunds',
        amount: 20,
      }
      const { json } = await test.send('POST', '/refunds', { body })
      await test.parts.refunds.finish(Number(json['refund-id']) as never, 'PROCESSED', nowMs)
      const [item] = (await find({ text: 'pedido', after: 'x' })).items
      expect(item).toMatchObject({ refundedMinor: 2000, payerName: 'Maria da Silva' })
      // The index still has its old status.
      expect(await referencesOf({ text: 'pedido', status: 'COMPLETE' })).toEqual([])
    })

    it('shows a payment once even if several words match, and reports skipped words', async () => {
      const code = Number(codes['pix-1'])
      const words = Array.from(
        { length: 102 },
        (_, i) => `zel${'abcdefghijkl'[i % 12]}${'x'.repeat(1 + Math.floor(i / 12))}`,
      )
      const rows = words.map((term) => ({
        merchant_id: MERCHANT.id,
        kind: 'name' as const,
        term,
        code,
      }))
      const add = (some: typeof rows) =>
        test.database.transact(async (trx) => {
          await trx.insertInto('payment_terms').values(some).execute()
        })
      await add(rows.slice(0, 99))
      const all = await find({ text: 'zel' })
      expect(all.items.map(({ transaction }) => transaction.code)).toEqual([code])
      expect(all).toMatchObject({ isCutShort: false, next: undefined })
      await add(rows.slice(99))
      expect(await find({ text: 'zel' })).toMatchObject({ isCutShort: true })
      for (const sort of PAYMENT_SORTS)
        expect(await referencesOf({ text: 'zel maria', sort })).toEqual(['pix-1'])
      await test.database.transact(async (trx) => {
        await trx.deleteFrom('payment_terms').where('term', 'like', 'zel%').execute()
      })
    })

    it('reads some thousand at a time if frequent words seldom match together', async () => {
      const oldest = firstCodeAt(NOW_MS - 90 * DAY_MS)
      const rows = Array.from({ length: 4600 }, (_, i) => ({
        merchant_id: MERCHANT.id,
        kind: 'name' as const,
        term: i % 2 === 0 ? 'rara' : 'comum',
        code: oldest + 1000 + i,
      }))
      const pedido = Number(codes['Pedido-1000'])
      const met = ['rara', 'comum'].map((term) => {
        return { merchant_id: MERCHANT.id, kind: 'name' as const, term, code: oldest }
      })
      const recent = met.map((row) => ({ ...row, code: pedido }))
      const amount = { ...met[0]!, kind: 'amount' as const, term: '000000010000' }
      await test.database.transact(async (trx) => {
        for (let i = 0; i < rows.length; i += 1000)
          await trx
            .insertInto('payment_terms')
            .values(rows.slice(i, i + 1000))
            .execute()
        await trx
          .insertInto('payment_terms')
          .values([...met, ...recent, amount])
          .execute()
        const template = await trx
          .selectFrom('transactions')
          .selectAll()
          .where('code', '=', pedido)
          .executeTakeFirstOrThrow()
        await trx
          .insertInto('transactions')
          .values({ ...template, code: oldest, reference: 'oldest', public_id: 'oldest' })
          .execute()
      })
      const first = await find({ text: 'rara comum' })
      expect(first.items.map(({ transaction }) => transaction.code)).toEqual([pedido])
      expect(first).toMatchObject({ isCutShort: true })
      const day = { fromMs: NOW_MS - 91 * DAY_MS, untilMs: NOW_MS - 89 * DAY_MS }
      expect(first.searchedToMs).toBeGreaterThan(day.fromMs)
      expect(first.searchedToMs).toBeLessThan(day.untilMs)
      const second = await find({ text: 'rara comum', after: first.next })
      expect(second.items.map(({ transaction }) => transaction.code)).toEqual([oldest])
      expect(second).toMatchObject({ isCutShort: false, next: undefined })
      const all: number[] = []
      for await (const { transaction } of searchOf(test).payments.all(MERCHANT.id, {
        text: 'rara comum',
      }))
        all.push(transaction.code)
      expect(all).toEqual([pedido, oldest])
      expect((await find({ text: 'rara comum', sort: 'highest' })).items).toHaveLength(2)
    })
  })
}

import { DAY_MS, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPayerData } from '../../../gateway/src/create-payer-data.js'
import { MERCHANT, NOW_MS, cardRequest } from '../../../gateway/src/gateway.fixture.js'
import {
  archiveAll,
  finish,
  openAgingGateway,
} from '../../../gateway/src/ledger/archive/archive.fixture.js'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import { unindexPayers } from '../sql/payment-index-sql.js'
import { readAll } from '../sql/search-index.fixture.js'
import { FOLLOWED, searchOf, servesSearch } from '../search.fixture.js'

const OTHER_STORE = { ...MERCHANT, id: 'store-2' }
const LONG = 'x'.repeat(300)
const SELLER = { seller: '168.995.350-09' }

interface Listed {
  readonly payments: readonly { readonly code: string; readonly reference: string }[]
}

for (const engine of TEST_ENGINES)
  describe(`metadata in the search of payments, on ${engine.name}`, () => {
    let test: Awaited<ReturnType<typeof openAgingGateway>>
    beforeAll(async () => {
      test = await openAgingGateway(engine, { ...servesSearch, ...FOLLOWED })
      await test.test.gateway.saveMerchant(OTHER_STORE)
      await buy('with-1', { channel: 'App', seller: 'João', long: `${LONG}1` })
      await buy('with-2', { channel: 'app', seller: 'Ana', long: `${LONG}2` })
      await buy('with-3', SELLER)
      await buy('without', undefined)
      await buy('foreign', { channel: 'app' }, OTHER_STORE)
      await readAll(test.database, test.time.nowMs + HOUR_MS)
    })
    afterAll(() => test.close())

    const buy = async (reference: string, metadata: unknown, merchant = MERCHANT) => {
      test.time.nowMs += MINUTE_MS
      const order = cardRequest(reference)
      const body = { ...order, transaction: { ...order.transaction, metadata } }
      const { status } = await test.send('POST', '/transactions', { body, merchant })
      expect(status).toBe(201)
    }
    const search = (body: object) => test.send('POST', '/payments/searches', { body })
    const found = async (metadata: object, more: object = {}) => {
      const { payments } = (await search({ metadata, ...more })).json as unknown as Listed
      return payments.map(({ reference }) => reference).toSorted()
    }
    const typed = async (text: string, documents?: 'not-searched') => {
      const { items } = await searchOf(test.test).payments.find(MERCHANT.id, { text, documents })
      return items.map(({ transaction }) => transaction.reference).toSorted()
    }

    it('stands beside each payment of a list', async () => {
      const { json } = await test.send('GET', '/payments')
      expect(json.payments).toMatchObject([
        { reference: 'without', metadata: {} },
        { metadata: SELLER },
        { metadata: { channel: 'app', seller: 'Ana', long: `${LONG}2` } },
        { metadata: { channel: 'App', seller: 'João', long: `${LONG}1` } },
      ])
    })

    it('finds the payments that have all of it, in any case, without a payer', async () => {
      expect(await found({ channel: 'APP' })).toEqual(['with-1', 'with-2'])
      expect(await found({ Channel: 'app', seller: 'joão' })).toEqual(['with-1'])
      expect(await found({ channel: 'app', seller: 'Eva' })).toEqual([])
      expect(await found({ seller: 'app' })).toEqual([])
      expect(await found({ channel: 'app' }, { 'payer-email': 'eva@example.com' })).toEqual([])
      expect(await found({ channel: 'app' }, { reference: 'with-2' })).toEqual(['with-2'])
      // Only the beginning of a long value is indexed.
      expect(await found({ long: `${LONG}2` })).toEqual(['with-2'])
      expect(await search({ metadata: {} })).toMatchObject({ status: 400, codes: [90602] })
    })

    it.each([
      ['channel=app', ['with-1', 'with-2']],
      ['Seller = ana', []],
      ['seller=ANA', ['with-2']],
      ['João', ['with-1']],
      ['app', ['with-1', 'with-2']],
      ['seller=168.995.350-09', ['with-3']],
    ])('finds by the text %s of the search box %j', async (text, references) => {
      expect(await typed(text)).toEqual(references)
    })

    it('finds no document for people who see documents masked', async () => {
      expect(await typed('seller=168.995.350-09', 'not-searched')).toEqual([])
      expect(await typed('seller=ana', 'not-searched')).toEqual(['with-2'])
    })

    it('finds archived payments, and none of an erased payer', async () => {
      await finish(test)
      test.time.nowMs = NOW_MS + 800 * DAY_MS
      await readAll(test.database, test.time.nowMs)
      expect((await archiveAll(test.database, test.time.nowMs)).archived).toBe(4)
      expect(await found({ channel: 'app' })).toEqual(['with-1', 'with-2'])
      expect(await typed('channel=app')).toEqual(['with-1', 'with-2'])
      const { json } = await search({ metadata: { seller: 'ana' } })
      const codes = (json as unknown as Listed).payments.map(
        ({ code }) => Number(code) as TransactionCode,
      )
      const data = createPayerData(test.database, [unindexPayers])
      expect(await data.erase(codes, test.time.nowMs)).toEqual(codes)
      expect(await typed('channel=app')).toEqual(['with-1'])
      expect(await typed('ana')).toEqual([])
      expect(await found({ seller: 'ana' })).toEqual([])
    })
  })

import { DAY_MS, HOUR_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway/src/gateway.fixture.js'
import { archiveAll } from '../../gateway/src/ledger/archive/archive.fixture.js'
import { unindexPayers, unindexPayments } from './sql/payment-index-sql.js'
import { PAYMENT_SORTS, type PaymentQuery } from './model/payment-query.js'
import { FOLLOWED, searchOf } from './search.fixture.js'
import { readAll } from './sql/search-index.fixture.js'

/** Tables that grow with every payment. */
const GROWING = {
  tables: [
    'transactions',
    'bank_payments',
    'archived_transactions',
    'archived_bank_payments',
    'notifications',
    'refunds',
    'payment_terms',
    'payment_facts',
    'daily_figures',
  ],
  storeColumn: 'merchant_id',
}

/** The room's own indexes, and those of the core that only it needs. */
const FOR_SEARCH = /^payment_(?:terms|facts)|^daily_figures|end_to_end$|^archived_created_at$/

/** Searches by every kind of term, as far as a worker has indexed the payments. */
async function searchPayments(test: TestGateway): Promise<void> {
  const { payments, figures } = searchOf(test)
  await readAll(test.database, NOW_MS)
  await readAll(test.database, NOW_MS + HOUR_MS)
  await payments.indexAgeMs()
  await payments.choices(MERCHANT.id)
  const queries: readonly PaymentQuery[] = [
    {},
    { text: 'maria silva' },
    { text: 'mar sil' },
    { text: 'maria', status: 'COMPLETE', method: 'credit-card' },
    { text: '1111' },
    { text: 'E00000000202611211200a1B2c3D4e5F' },
    { status: 'COMPLETE', brand: 'visa' },
    { reference: 'order-1', amountMinor: minorUnits(10_000) },
    { email: 'maria@example.com', document: '52998224725' },
  ]
  for (const query of queries)
    for (const sort of PAYMENT_SORTS)
      for (const after of [undefined, `1-${NOW_MS}`])
        await payments.find(MERCHANT.id, { ...query, sort, after, fromMs: NOW_MS - DAY_MS })
  await figures.read(MERCHANT.id, { fromDay: 20_000, untilDay: 21_000 })
}

it.each(TEST_ENGINES)(
  'queries on $name cost the same however many payments there are, and need each index',
  async (engine) => {
    const test = await openTestGateway(engine, FOLLOWED)
    onTestFinished(() => test.close())
    const paid = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    for (const rail of ['boleto', 'pix', 'pagseguro'] as const)
      await test.send('POST', '/transactions', { body: railRequest(`order-${rail}`, rail) })
    // Creates the archive's year, because a table without partitions is not read.
    await archiveAll(test.database)
    const queries = recordQueries()
    onTestFinished(queries.stop)
    await searchPayments(test)
    const codes = [Number((paid.json.transaction as { code: string }).code)]
    for (const leave of [unindexPayers, unindexPayments])
      await test.database.transact((trx) => leave(trx, codes))
    expect(queries.texts.size).toBeGreaterThan(20)
    expect(await queriesThatScan(test.database, queries.texts, GROWING)).toEqual([])
    const notNeeded = await indexesNotNeeded(test.database, queries.texts, GROWING)
    expect(notNeeded.filter((index) => FOR_SEARCH.test(index))).toEqual([])
  },
)

import { Readable } from 'node:stream'
import { HOUR_MS } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { MERCHANT, NOW_MS } from '../../gateway/src/gateway.fixture.js'
import { readAll } from '../../search/src/sql/search-index.fixture.js'
import { SETTLEMENT_RESULTS } from './model/settlement.js'
import { type SettledGateway, openSettled } from './settlements.fixture.js'

/** Tables that grow with every payment. */
const GROWING = {
  tables: ['transactions', 'payment_terms', 'bank_payments', 'settlement_lines'],
  storeColumn: 'merchant_id',
}

/** Other indexes read files completely, line by line: no scan of the table, but as slow. */
const STOOD_IN_FOR = [
  'settlement_lines_of_file',
  'settlement_lines_of_payment',
  'settlement_lines_by_result',
  'settlement_lines_by_day',
]

/** Compares an acquirer's file with a repeated line with the payments, and removes it. */
async function settle({ settlements, database, work }: SettledGateway): Promise<void> {
  await readAll(database, NOW_MS + HOUR_MS)
  const line = { grossMinor: 10_000, feeMinor: 300, netMinor: 9_700 }
  const days = ['2026-09-01', '2026-11-20']
  const names = { reference: 'order-1', acquirerId: 'PSP1', nsu: '662000', transactionCode: '1' }
  const lines = days.map((paidOn, i) => {
    const sale = { ...line, ...names, paidOn, line: i + 1, kind: 'sale' } as const
    return sale
  })
  const file = { storeId: MERCHANT.id, format: 'adyen', accountId: 'adyen-1' } as const
  const upload = (sha256: string) =>
    settlements.upload(
      { ...file, name: 'report.csv', actor: 'person:ana' },
      { lines: Readable.from(lines), read: () => ({ sha256, bytes: 1 }) },
    )
  const { id } = await upload('one')
  await upload('other')
  await settlements.days(MERCHANT.id, { fromDay: 20_000, untilDay: 21_000 })
  const after = '20000-1-1'
  const period = { fromDay: 20_000, untilDay: 21_000 }
  for (const which of [{}, { after }, { period }, { period, after }, { fileId: id, after }])
    await settlements.lines(MERCHANT.id, { results: SETTLEMENT_RESULTS, limit: 10, ...which })
  await settlements.missing(MERCHANT.id, { limit: 10 })
  expect(await settlements.covered(MERCHANT.id)).toHaveLength(1)
  await settlements.compareAgain(MERCHANT.id, id)
  await work()
  expect(await settlements.remove(MERCHANT.id, id)).toBe(true)
  await work()
}

it.each(TEST_ENGINES)(
  'queries on $name cost the same however many lines there are, and need each index',
  async (engine) => {
    const test = await openSettled(engine)
    onTestFinished(() => test.close())
    const queries = recordQueries()
    onTestFinished(queries.stop)
    await settle(test)
    expect(queries.texts.size).toBeGreaterThan(10)
    expect(await queriesThatScan(test.database, queries.texts, GROWING)).toEqual([])
    const notNeeded = await indexesNotNeeded(test.database, queries.texts, GROWING)
    const own = notNeeded.filter((index) => index.startsWith('settlement_'))
    expect(own.filter((index) => !STOOD_IN_FOR.includes(index))).toEqual([])
  },
)

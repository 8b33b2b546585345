import { DAY_MS, minorUnits } from '@cofre/contracts'
import { openTwiceOnPostgres, whileLocked } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import type { GatewayTables } from '../database/gateway-tables.js'
import { GATEWAY_MIGRATIONS } from '../database/open-gateway-database.js'
import { NOW_MS } from '../../gateway.fixture.js'
import { intentOf } from '../../intent.fixture.js'
import { createSqlTransactionStore } from './transaction-store-sql.js'

const INTENT = intentOf(1)

/** Two processes of one store. */
async function openTwice() {
  const [first, second] = await openTwiceOnPostgres<GatewayTables>(GATEWAY_MIGRATIONS, [])
  onTestFinished(async () => {
    await second.close()
    await first.close()
  })
  const merchant = {
    id: INTENT.merchantId,
    name: 'Loja Um',
    enabled: 1,
    raw_cards: 0,
    refunds: 'none' as const,
    rules: 'specification' as const,
    refuses_card_references: 0,
    field_origins: '[]',
    shows_bin: 0,
    created_at: NOW_MS,
  }
  await first.transact((trx) => trx.insertInto('merchants').values(merchant).execute())
  return {
    first,
    stores: [first, second].map((database) => createSqlTransactionStore(database, [])),
  }
}

it('two gateway processes do not let a payer pass the limit together, not even at midnight', async () => {
  const { first, stores } = await openTwice()
  const limits = { perTransactionMinor: minorUnits(1000), perPeriodMinor: minorUnits(150) }
  const midnight = NOW_MS - (NOW_MS % DAY_MS)
  const answers = await whileLocked(first, { table: 'merchants', waiters: 2 }, () =>
    stores.map((store, i) =>
      store.insertIntent(intentOf(i + 1, { createdAtMs: midnight - 1 + i }), limits),
    ),
  )
  expect(answers.filter((answer) => answer !== 'limit_exceeded')).toEqual([{ refusedBins: [] }])
})

it('two gateway processes settle a transaction once, and notify its store once', async () => {
  const { first, stores } = await openTwice()
  const limits = { perTransactionMinor: minorUnits(1000), perPeriodMinor: undefined }
  await stores[0]!.insertIntent(INTENT, limits)
  const settled = await whileLocked(first, { table: 'transactions', waiters: 2 }, () =>
    stores.map((store, i) =>
      store.settle(INTENT, { status: i === 0 ? 'COMPLETE' : 'CANCELLED', open: false, atMs: i }),
    ),
  )
  const [winner] = new Set(settled.map(({ status }) => status))
  expect(settled.map(({ status }) => status)).toEqual([winner, winner])
  const reported = await first.reader.selectFrom('notifications').selectAll().execute()
  expect(reported).toMatchObject([{ position: 1, status: winner, blocked: 0 }])
})

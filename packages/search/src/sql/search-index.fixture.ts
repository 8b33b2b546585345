import { MINUTE_MS } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { GatewayTables } from '../../../gateway/src/ledger/database/gateway-tables.js'
import { createSqlSearchIndexStore } from './search-index-store-sql.js'
import { ownTables } from './search-tables.js'

/** Reads until nothing is left. */
export async function readAll(database: Database<GatewayTables>, nowMs: number): Promise<void> {
  const index = createSqlSearchIndexStore(database)
  while (await index.round({ nowMs, machineNowMs: nowMs }, () => Promise.resolve()));
}

/** The whole index, and all figures above zero. */
export async function indexed({ reader }: Database<GatewayTables>) {
  const terms = await reader.selectFrom('payment_terms').selectAll().execute()
  const facts = await reader.selectFrom('payment_facts').selectAll().orderBy('code').execute()
  const figures = await ownTables(reader)
    .selectFrom('daily_figures')
    .selectAll()
    .where((of) => of.or([of('count', '<>', 0), of('amount', '<>', 0)]))
    .execute()
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  return { terms: sorted(terms), facts, figures: sorted(figures) }
}

/** The result of indexing again from the beginning, at a later time. */
export async function indexedFromScratch(database: Database<GatewayTables>, nowMs: number) {
  await database.transact(async (unit) => {
    const trx = ownTables(unit)
    for (const table of ['payment_terms', 'payment_facts', 'daily_figures'] as const)
      await trx.deleteFrom(table).execute()
    await trx.updateTable('index_progress').set({ position: 0 }).execute()
  })
  await readAll(database, nowMs)
  await readAll(database, nowMs + MINUTE_MS)
  return await indexed(database)
}

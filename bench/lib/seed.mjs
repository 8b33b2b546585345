// Fills an installation with the payments of two months, copied from one real payment. The
// databases are opened beside the running product. For each database, seed.json has the tables that
// grow with payments, the row to copy, and the columns that differ for each copy: its number (`n`),
// its time (`ms`), its code and its store. Audit entries are in the chain, before the real ones,
// and notifications have ended: nothing is due.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { STORE } from '../../e2e/cofre-process.ts'
import SEED from './seed.json' with { type: 'json' }

const BATCH = 100_000
const HOUR_MS = 3_600_000
const SPAN_MS = 60 * 24 * HOUR_MS
const STORED_FROM_MS = Date.now() - SPAN_MS
/** The gateway has 10,000 codes for each hundredth of a second since this time. */
const CODES_EPOCH_MS = Date.UTC(2025, 0, 1)

/** An hour in the middle of the stored payments. */
export const WINDOW = { fromMs: STORED_FROM_MS + SPAN_MS / 2 }
WINDOW.untilMs = WINDOW.fromMs + HOUR_MS

/** Schemas on PostgreSQL. */
const SCHEMAS = { gateway: 'cofre', vault: 'cofre_vault' }

/** Stores the given number of payments of the measured store in the window. */
export async function seedWindow(installation, count) {
  const spread = { from: 1_000_000_000, codesFrom: 9000, sinceMs: WINDOW.fromMs + 1 }
  await fill(installation, { ...spread, spanMs: HOUR_MS - 1, count, store: `'${STORE.id}'` })
}

/**
 * Stores the given number of payments over two months. Half of them, and all in the window, belong
 * to another store.
 */
export async function seedPayments(installation, count) {
  const store = `case when n % 2 = 0 or ms between ${WINDOW.fromMs} and ${WINDOW.untilMs}
    then 'other-store' else '${STORE.id}' end`
  const spread = { from: 0, codesFrom: 0, sinceMs: STORED_FROM_MS, spanMs: SPAN_MS }
  await fill(installation, { ...spread, count, store })
}

async function fill(installation, spread) {
  for (const [name, tables] of Object.entries(SEED.tables)) {
    const database = await openStored(installation, name)
    for (const { table, like, own } of tables) {
      const differ = own === undefined ? SEED.ofPayment : { ...SEED.ofEntry, ...own }
      const columns = (await database.columns(table)).map((column) => column.name)
      const values = columns.map((column) => differ[column] ?? `template."${column}"`)
      const into = `${table} (${columns.map((column) => `"${column}"`).join()})`
      for (const batch of batchesOf(spread))
        await database.run(`insert into ${into} select ${values.join()}
          from ${batch}, (select * from ${table} ${like} limit 1) template`)
    }
    await database.close()
  }
}

function* batchesOf({ from, count, codesFrom, sinceMs, spanMs, store }) {
  const code = `(ms - ${CODES_EPOCH_MS}) / 10 * 10000 + ${codesFrom} + n % 1000`
  for (let first = from; first < from + count; first += BATCH)
    yield `(with recursive series(n) as (select cast(${first} as bigint) union all
        select n + 1 from series where n < ${Math.min(first + BATCH, from + count) - 1}),
      numbered as (select n, ${sinceMs} + (n - ${from}) * ${Math.floor(spanMs / count)} as ms from series)
      select n, ms, ${code} as code, ${store} as store from numbered) payment`
}

async function openStored({ dataDir, environ: { COFRE_DATABASE_URL: url } }, name) {
  if (url === undefined) return openSqlite(path.join(dataDir, `${name}.db`))
  const options = `-c search_path=${SCHEMAS[name]} -c synchronous_commit=off
    -c session_replication_role=replica`
  const client = new pg.Client({ connectionString: url, options })
  await client.connect()
  return {
    columns: async (table) => (await client.query(`select * from ${table} limit 0`)).fields,
    run: (sql) => client.query(sql),
    async close() {
      // Done here, so that neither continues during a measurement.
      await client.query('vacuum analyze')
      await client.query('checkpoint')
      await client.end()
    },
  }
}

function openSqlite(file) {
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  connection.exec('PRAGMA busy_timeout = 60000; PRAGMA synchronous = OFF')
  return {
    columns: (table) => connection.prepare(`select * from ${table}`).columns(),
    async run(sql) {
      connection.exec(sql)
      // An insert blocks this process: signals and closed connections are handled here.
      await setImmediate()
    },
    close() {
      // Writes everything to the disk now, not with the first measured payment.
      connection.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
      connection.close()
    },
  }
}

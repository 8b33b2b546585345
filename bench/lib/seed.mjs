// Fills the production gateway's table with copies of a transaction that was really made, months apart and of other payers.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

const BATCH = 100_000
const DAY_MS = 86_400_000
/** Older than any window of a search or a limit. */
const AGE_MS = 40 * DAY_MS
const STEP_MS = 20_000

const OVERRIDES = {
  code: '1000000000000 + n',
  reference: "'seed-' || n",
  public_id: "'seed' || n",
  payer_document: "'seed' || (n % 100000)",
  created_at: `CAST($now AS bigint) - ${AGE_MS} - n * ${STEP_MS}`,
  paid_at: `CAST($now AS bigint) - ${AGE_MS} - n * ${STEP_MS}`,
  status_changed_at: `CAST($now AS bigint) - ${AGE_MS} - n * ${STEP_MS}`,
}

export async function seedTransactions({ product, environ, from, until }) {
  if (from >= until) return
  const url = environ.COFRE_DATABASE_URL
  const database =
    url === undefined ? openSqlite(path.join(product.dataDir, 'gateway.db')) : await openPg(url)
  const columns = await database.columns()
  const values = columns.map((name) =>
    (OVERRIDES[name] ?? name).replace('$now', String(Date.now())),
  )
  for (let start = from; start < until; start += BATCH) {
    const end = Math.min(start + BATCH, until)
    await database.run(
      `insert into transactions (${columns.join(', ')})
       select ${values.join(', ')} from ${database.series(start, end - 1)},
       (select * from transactions order by code desc limit 1) template`,
    )
  }
  await database.close()
}

function openSqlite(file) {
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA busy_timeout = 60000; PRAGMA synchronous = OFF')
  return {
    columns: () =>
      connection
        .prepare('PRAGMA table_info(transactions)')
        .all()
        .map((c) => c.name),
    run: (statement) => connection.exec(statement),
    series: (first, last) =>
      `(with recursive series(n) as (select ${first} union all select n + 1 from series where n < ${last}) select n from series)`,
    close() {
      connection.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
      connection.close()
    },
  }
}

async function openPg(url) {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=cofre' })
  await client.connect()
  return {
    async columns() {
      const { fields } = await client.query('select * from transactions limit 0')
      return fields.map(({ name }) => name)
    },
    run: (statement) => client.query(statement),
    series: (first, last) => `generate_series(${first}::bigint, ${last}::bigint) as series(n)`,
    async close() {
      await client.query('vacuum analyze transactions')
      await client.query('checkpoint')
      await client.end()
    },
  }
}

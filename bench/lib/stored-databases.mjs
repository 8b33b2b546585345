// The databases of an installation, opened beside the running product.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'

/** The schemas on PostgreSQL. */
const SCHEMAS = { gateway: 'cofre', vault: 'cofre_vault' }

/** @param name - `gateway` or `vault` */
export async function openStored({ product, environ }, name) {
  const url = environ.COFRE_DATABASE_URL
  return url === undefined
    ? openSqlite(path.join(product.dataDir, `${name}.db`))
    : await openPostgres(url, SCHEMAS[name])
}

function openSqlite(file) {
  const connection = new DatabaseSync(file)
  connection.exec(`PRAGMA busy_timeout = 60000; PRAGMA synchronous = OFF;
    PRAGMA cache_size = -262144`)
  return {
    series: (first, last) =>
      `(with recursive series(n) as
        (select ${first} union all select n + 1 from series where n < ${last})
        select n from series) series`,
    count: (table) => connection.prepare(`select count(*) as count from ${table}`).get().count,
    /** It knows no partitions. */
    countPartitions: () => 1,
    async fill(table, plan) {
      const columns = connection.prepare(`PRAGMA table_info(${table})`).all()
      for (const insert of statements(table, plan(columns.map(({ name }) => name)))) {
        connection.exec(insert)
        // An insert holds this process up: signals and closed connections have their turn here.
        await setImmediate()
      }
    },
    close() {
      // All of it reaches the disk now, not with the first payment that is measured.
      connection.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
      connection.close()
    },
  }
}

async function openPostgres(url, schema) {
  const client = new pg.Client({
    connectionString: url,
    options: `-c search_path=${schema} -c synchronous_commit=off`,
  })
  await client.connect()
  return {
    series: (first, last) => `generate_series(${first}::bigint, ${last}::bigint) as series(n)`,
    async count(table) {
      const { rows } = await client.query(`select count(*) as count from ${table}`)
      return Number(rows[0].count)
    },
    /** Those that have rows. */
    async countPartitions(table) {
      const { rows } = await client.query(`select distinct tableoid from ${table}`)
      return rows.length
    },
    async fill(table, plan) {
      await configure(client, ([name, value]) => `set ${name} = '${value}'`)
      const { fields } = await client.query(`select * from ${table} limit 0`)
      for (const insert of statements(table, plan(fields.map(({ name }) => name))))
        await client.query(insert)
    },
    async close(filled = []) {
      // Done here, so that neither goes on while something is measured.
      for (const table of new Set(filled)) await client.query(`vacuum analyze ${table}`)
      if (filled.length > 0) {
        await configure(client, ([name]) => `reset ${name}`)
        await client.query('checkpoint')
      }
      await client.end()
    },
  }
}

/** A server that fails meanwhile is not needed any more. */
const FILLING = { full_page_writes: 'off', max_wal_size: '2GB', autovacuum: 'off' }

async function configure(client, change) {
  for (const setting of Object.entries(FILLING))
    await client.query(`alter system ${change(setting)}`)
  await client.query('select pg_reload_conf()')
}

function* statements(table, { columns, values, template, batches }) {
  const into = `${table} (${columns.map((column) => `"${column}"`).join(', ')})`
  for (const batch of batches)
    yield `insert into ${into} select ${values.join(', ')} from ${batch}, ${template}`
}

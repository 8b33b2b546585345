// How long the write-ahead logs of an installation are by now.
import { statSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'

/** One statement on a connection of its own; resolves to its rows. */
export async function askPostgres(url, sql) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Of a PostgreSQL server, all its databases together. */
export async function postgresLogBytes(url) {
  const sql = "select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes"
  const [{ bytes }] = await askPostgres(url, sql)
  return Number(bytes)
}

/** Of both files, as long as none has been begun anew after a checkpoint. */
export function sqliteLogBytes(dataDir) {
  const sizeOf = (name) => statSync(path.join(dataDir, `${name}.db-wal`)).size
  return sizeOf('gateway') + sizeOf('vault')
}

// The two engines: files of the embedded default, and a real PostgreSQL server on the same machine.
import './cleanup.mjs'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { startPostgres as startServer } from '../../packages/sql/test/postgres-server.ts'

async function startPostgres() {
  const stop = await startServer()
  const { COFRE_TEST_POSTGRES_URL: url, COFRE_TEST_POSTGRES_DATA: data } = process.env
  return {
    environ: environ(url),
    url,
    /** Of the process that all others of the server descend from. */
    pid: Number.parseInt(readFileSync(path.join(data, 'postmaster.pid'), 'utf8'), 10),
    stop,
    poolOf: (schema) =>
      new pg.Pool({ connectionString: url, max: 20, options: `-c search_path=${schema}` }),
    /** The environment of another installation on the same server. */
    async another(name) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return environ(Object.assign(new URL(url), { pathname: name }).href)
    },
  }
}

function environ(url) {
  return { COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url }
}

/** Each installation has files in a folder of its own. */
function startSqlite() {
  return Promise.resolve({
    environ: {},
    stop: () => Promise.resolve(),
    another: () => Promise.resolve({}),
  })
}

export const ENGINES = [
  { name: 'SQLite', paymentTarget: '>= 0.5', start: startSqlite },
  { name: 'PostgreSQL', paymentTarget: '>= 0.25', start: startPostgres },
]

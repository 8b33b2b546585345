// The two engines: files of the embedded default, and a real PostgreSQL server on the same machine.
import './cleanup.mjs'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { startPostgres as startServer } from '../../packages/sql/test/postgres-server.ts'
import { askPostgres } from './log-bytes.mjs'

/** A process keeps up to 20 to each of its databases, of which `cofre dev` has three. */
const CONNECTIONS_MAX = 300

async function startPostgres() {
  const stop = await startServer({ flags: ['-c', `max_connections=${CONNECTIONS_MAX}`] })
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
    another: async (name) => environ(await createDatabase(url, name)),
    /** Where a bare program keeps its data. */
    bare: async (name) => ({ url: await createDatabase(url, name) }),
  }
}

function environ(url) {
  return { COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url }
}

/** Returns the URL of a new database on the same server. */
async function createDatabase(url, name) {
  await askPostgres(url, `create database ${name}`)
  return Object.assign(new URL(url), { pathname: name }).href
}

/** Each installation has files in a folder of its own, and so has each bare program. */
function startSqlite() {
  return Promise.resolve({
    environ: {},
    stop: () => Promise.resolve(),
    another: () => Promise.resolve({}),
    bare: () => Promise.resolve({}),
  })
}

export const ENGINES = [
  { name: 'SQLite', start: startSqlite },
  { name: 'PostgreSQL', start: startPostgres },
]

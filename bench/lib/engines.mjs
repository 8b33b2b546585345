// The two engines: files of the embedded default, and a real PostgreSQL server on the same machine.
import './cleanup.mjs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { startPostgres as startServer } from '../../packages/sql/test/postgres-server.ts'

/** A process uses up to 20 connections to each of its databases; `cofre dev` has three. */
const FLAGS = ['-c', 'max_connections=300']

/** Each installation and each bare program has files in its own folder. */
const SQLITE = {
  name: 'SQLite',
  environ: () => Promise.resolve({}),
  place: (kind) => mkdtempSync(path.join(tmpdir(), kind)),
  stop: () => undefined,
}

async function startPostgres() {
  const stop = await startServer({ flags: FLAGS })
  const { COFRE_TEST_POSTGRES_URL: url } = process.env
  const place = async (name) => {
    await askPostgres(url, `create database ${name}`)
    return Object.assign(new URL(url), { pathname: name }).href
  }
  const environ = async (name) => {
    const own = await place(name)
    return { COFRE_DATABASE_URL: own, COFRE_VAULT_DATABASE_URL: own }
  }
  return { name: 'PostgreSQL', environ, place, stop }
}

/**
 * Both engines, the first stopped before the second starts. `environ` resolves to the environment
 * of an installation, `place` to the database of a bare program.
 */
export async function* startEngines() {
  for (const start of [() => SQLITE, startPostgres]) {
    const engine = await start()
    yield engine
    await engine.stop()
  }
}

/** Runs one statement on a new connection; resolves to its rows. */
export async function askPostgres(url, sql) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

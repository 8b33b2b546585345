import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { openSandboxDatabase } from '../packages/sandbox/src/database/open-sandbox-database.js'
import { openGatewayDatabase } from '../packages/gateway/src/ledger/database/open-gateway-database.js'
import { openVaultDatabase } from '../packages/vault/src/database/vault-database.js'

/** The tool that copied a database. */
export type BackupTool = 'pg_dump' | 'rows'

/**
 * Copies Cofre's schemas from one PostgreSQL database into an empty one, as docs/operating.md does:
 * with pg_dump and pg_restore. If these refuse a newer server, copies the rows in one snapshot into
 * tables that Cofre creates.
 */
export async function copyPostgres(from: string, to: string, file: string): Promise<BackupTool> {
  if (!(await hasFittingTools(from))) {
    await copyRows(from, to)
    return 'rows'
  }
  const options = ['--format=custom', '--no-unlogged-table-data', '--schema=cofre*']
  execFileSync('pg_dump', [...options, `--file=${file}`, from])
  execFileSync('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${to}`, file])
  rmSync(file)
  return 'pg_dump'
}

async function hasFittingTools(url: string): Promise<boolean> {
  const { stdout, status } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' })
  if (status !== 0) return false
  const [{ server_version_num: server }] = await query<{ server_version_num: string }>(
    url,
    'SHOW server_version_num',
  )
  return Number(/(\d+)[.\d]* ?/.exec(stdout)?.[1]) >= Math.floor(Number(server) / 10_000)
}

async function query<Row extends object>(url: string, text: string): Promise<[Row, ...Row[]]> {
  return await connected(url, async (client) => {
    const { rows } = await client.query<Row>(text)
    return rows as [Row, ...Row[]]
  })
}

/** Creates an empty database on the server of a URL. @returns its URL */
export async function createDatabase(url: string, name: string): Promise<string> {
  await connected(url, (client) => client.query(`CREATE DATABASE ${name}`))
  const created = new URL(url)
  created.pathname = `/${name}`
  return created.href
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function copyRows(from: string, to: string): Promise<void> {
  const databases = await Promise.all([
    openGatewayDatabase(to, 'production', []),
    openGatewayDatabase(to, 'sandbox', []),
    openSandboxDatabase(to),
    openVaultDatabase(to),
  ])
  for (const database of databases) await database.close()
  await connected(from, async (source) => {
    await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows: tables } = await source.query<{ name: string }>(
      `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
       WHERE relkind = 'r' AND relpersistence = 'p' AND nspname LIKE 'cofre%' AND relname NOT LIKE 'kysely%'`,
    )
    await connected(to, async (target) => {
      // References between rows need no check during the copy.
      await target.query("BEGIN; SET LOCAL session_replication_role = 'replica'")
      for (const { name } of tables) {
        const { rows } = await source.query<{ all: string | null }>(
          `SELECT json_agg(t)::text AS all FROM ${name} t`,
        )
        await target.query(`DELETE FROM ${name}`)
        await target.query(
          `INSERT INTO ${name} SELECT * FROM json_populate_recordset(null::${name}, $1)`,
          [rows[0]?.all ?? '[]'],
        )
      }
      await target.query('COMMIT')
    })
  })
}

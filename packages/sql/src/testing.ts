import { randomUUID } from 'node:crypto'
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database, Migrations } from './database/database.js'
import { openDatabase } from './open-database.js'
import { TestSchemas } from './testing-schemas.js'

export { indexesNotNeeded, queriesThatScan, recordQueries } from './testing-plans.js'

/**
 * An engine that conformance suites run on: a fresh, empty database for each `open`, gone once it
 * is closed.
 */
export interface TestEngine {
  readonly name: 'sqlite' | 'postgres'
  open<Tables>(migrations: Migrations): Promise<Database<Tables>>
}

/** Set by the tests' global set-up, which starts a real server. */
export const TEST_POSTGRES_URL = 'COFRE_TEST_POSTGRES_URL'

/** Both engines. Every store's conformance suite loops over them. */
export const TEST_ENGINES: readonly TestEngine[] = [
  {
    name: 'sqlite',
    async open<Tables>(migrations: Migrations): Promise<Database<Tables>> {
      const folder = mkdtempSync(path.join(folderForDatabases(), 'cofre-test-'))
      const url = `sqlite:${path.join(folder, 'test.db')}`
      const database = await openDatabase<Tables>({ url, schema: 'test', migrations })
      return afterClosing(database, () => {
        rmSync(folder, { recursive: true })
      })
    },
  },
  {
    name: 'postgres',
    async open<Tables>(migrations: Migrations): Promise<Database<Tables>> {
      const url = await ownDatabase()
      schemas ??= new TestSchemas(url)
      const used = schemas
      const schema = used.take(migrations)
      const database = await openDatabase<Tables>({ url, schema, migrations })
      await used.opened(schema)
      const isNew = { ...database, migrated: Object.keys(migrations) }
      return afterClosing(isNew, () => used.giveBack(schema, migrations))
    },
  },
]

/**
 * Two processes' connections to one PostgreSQL database, which is gone once the first is closed.
 */
export async function openTwiceOnPostgres<Tables>(
  migrations: Migrations,
): Promise<readonly [Database<Tables>, Database<Tables>]> {
  const [open, openBeside] = await ownSchema<Tables>(migrations)
  const first = await open()
  return [first, await openBeside()]
}

/**
 * Runs units of work on PostgreSQL while somebody else has locked every row of a table; lets go
 * once so many wait.
 * @returns what they resolved to
 */
export async function whileLocked<Tables, T>(
  database: Database<Tables>,
  { table, waiters }: { readonly table: string; readonly waiters: number },
  begin: () => readonly Promise<T>[],
): Promise<T[]> {
  let units: readonly Promise<T>[] = []
  await database.transact(async (trx) => {
    await sql`select 1 from ${sql.table(table)} for update`.execute(trx)
    units = begin()
    while ((await lockWaiters(database)) < waiters)
      await new Promise((resolve) => setTimeout(resolve, 10))
  })
  return await Promise.all(units)
}

/** How many wait for locks in a PostgreSQL database. */
export async function lockWaiters<Tables>({ reader }: Database<Tables>): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(reader)
  return rows[0]?.waiting ?? 0
}

type Opening<Tables> = () => Promise<Database<Tables>>

/** A schema of its own: its first opening drops it when it is closed. */
async function ownSchema<Tables>(
  migrations: Migrations,
): Promise<readonly [Opening<Tables>, Opening<Tables>]> {
  const url = await ownDatabase()
  const schema = `test_${randomUUID().replaceAll('-', '')}`
  const open: Opening<Tables> = () => openDatabase<Tables>({ url, schema, migrations })
  return [
    async () =>
      afterClosing(await open(), async () => {
        await queryPostgres(url, `drop schema ${schema} cascade`)
      }),
    open,
  ]
}

const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 512 * 1024 * 1024

/**
 * Linux's folder in memory, where it has room: on a disk, each of the tests' many commits waits for
 * it.
 */
function folderForDatabases(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    if (bavail * bsize >= MEMORY_BYTES_MIN) return MEMORY_FOLDER
  } catch {
    // Other systems have no such folder, and some do not let everybody write there.
  }
  return tmpdir()
}

function afterClosing<Tables>(
  database: Database<Tables>,
  remove: () => void | Promise<void>,
): Database<Tables> {
  return {
    ...database,
    async close() {
      await database.close()
      await remove()
    },
  }
}

const DUPLICATE_DATABASE = '42P04'
let ownDatabaseUrl: Promise<string> | undefined
let schemas: TestSchemas | undefined

/**
 * Before it migrates, Kysely describes the tables of all schemas of the database. So schemas are
 * not left behind, where each would make the next opening slower, and those of one of Vitest's
 * workers are not dropped under another's eyes.
 */
function ownDatabase(): Promise<string> {
  ownDatabaseUrl ??= createOwnDatabase()
  return ownDatabaseUrl
}

async function createOwnDatabase(): Promise<string> {
  const server = process.env[TEST_POSTGRES_URL]
  if (server === undefined)
    throw new Error(`${TEST_POSTGRES_URL} is not set: run the tests with npm test`)
  const name = `worker_${process.env.VITEST_POOL_ID ?? ''}`
  try {
    await queryPostgres(server, `create database ${name}`)
  } catch (error) {
    // An earlier test file of this worker made it.
    if (!(error instanceof pg.DatabaseError) || error.code !== DUPLICATE_DATABASE) throw error
  }
  const url = new URL(server)
  url.pathname = name
  return url.href
}

/** Runs statements on a connection of its own. Returns the rows of a single one. */
export async function queryPostgres(url: string, sql: string): Promise<readonly object[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<object>(sql)).rows
  } finally {
    await client.end()
  }
}

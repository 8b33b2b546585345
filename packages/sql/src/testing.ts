import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database, DatabaseOptions, Migrations } from './database/database.js'
import { openDatabase } from './open-database.js'
import { queryPostgres, testPostgres } from './testing-postgres.js'
import { NOTE_CHANGES, TestSchemas } from './testing-schemas.js'

export { queryPostgres, testPostgres } from './testing-postgres.js'
export { indexesNotNeeded, queriesThatScan, recordQueries } from './testing-plans.js'

/**
 * An engine for conformance suites. Each `open` gives a fresh, empty database, removed once it is
 * closed.
 */
export interface TestEngine {
  readonly name: 'sqlite' | 'postgres'
  /** @param attached - The value that its connections carry. */
  open<Tables>(migrations: Migrations, attached?: unknown): Promise<Database<Tables>>
}

/** For behaviour that both engines share: it opens in a tenth of the time. */
export const TEST_SQLITE: TestEngine = { name: 'sqlite', open: openCopy }

/** For behaviour that needs several processes on one database. */
export const TEST_POSTGRES: TestEngine = {
  name: 'postgres',
  async open<Tables>(migrations: Migrations, attached?: unknown): Promise<Database<Tables>> {
    schemas ??= new TestSchemas(await ownDatabase())
    return await schemas.open(migrations, attached)
  },
}

/** Every store's conformance suite loops over them; `npm run near` uses only the quick one. */
export const TEST_ENGINES: readonly TestEngine[] =
  process.env.COFRE_TEST_ENGINES === 'sqlite' ? [TEST_SQLITE] : [TEST_SQLITE, TEST_POSTGRES]

/** Files as migrations leave them. Copying one takes a hundredth of the time of the migrations. */
const migratedFiles = new Map<Migrations, Promise<Buffer>>()

async function openCopy<Tables>(
  migrations: Migrations,
  attached?: unknown,
): Promise<Database<Tables>> {
  const migrated = migratedFiles.get(migrations) ?? migratedFile(migrations)
  migratedFiles.set(migrations, migrated)
  const content = await migrated
  const { options, remove } = ownFile(migrations)
  writeFileSync(options.file, content)
  const database = await openDatabase<Tables>({ ...options, attached })
  return afterClosing({ ...database, migrated: Object.keys(migrations) }, remove)
}

async function migratedFile(migrations: Migrations): Promise<Buffer> {
  const { options, remove } = ownFile(migrations)
  const database = await openDatabase(options)
  await database.close()
  const content = readFileSync(options.file)
  remove()
  return content
}

function ownFile(migrations: Migrations) {
  const folder = mkdtempSync(path.join(folderForDatabases(), 'cofre-test-'))
  const file = path.join(folder, 'test.db')
  return {
    options: { file, url: `sqlite:${file}`, schema: 'test', migrations },
    remove: () => {
      rmSync(folder, { recursive: true })
    },
  }
}

/** Connections of two processes to one PostgreSQL database, removed once the first is closed. */
export async function openTwiceOnPostgres<Tables>(
  migrations: Migrations,
  attached?: unknown,
): Promise<readonly [Database<Tables>, Database<Tables>]> {
  const [open, openBeside] = await ownSchema<Tables>({ migrations, attached })
  const first = await open()
  return [first, await openBeside()]
}

/**
 * Runs units of work on PostgreSQL while another holds locks on every row of a table. Releases the
 * locks once `waiters` units wait.
 * @returns the values they resolved to
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

/** The number of connections that wait for locks in a PostgreSQL database. */
export async function lockWaiters<Tables>({ reader }: Database<Tables>): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(reader)
  return rows[0]?.waiting ?? 0
}

type Opening<Tables> = () => Promise<Database<Tables>>

/** A schema of its own, dropped when its first opening is closed. */
async function ownSchema<Tables>(
  options: Pick<DatabaseOptions, 'migrations' | 'attached'>,
): Promise<readonly [Opening<Tables>, Opening<Tables>]> {
  const url = await ownDatabase()
  const schema = `test_${randomUUID().replaceAll('-', '')}`
  const open: Opening<Tables> = () => openDatabase<Tables>({ url, schema, ...options })
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
 * Linux's folder in memory, if it has room: on a disk, each of the tests' many commits would wait.
 */
function folderForDatabases(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    if (bavail * bsize >= MEMORY_BYTES_MIN) return MEMORY_FOLDER
  } catch {
    // Other systems have no such folder, and some restrict writing to it.
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
 * A database for each of Vitest's workers. Before it migrates, Kysely describes the tables of all
 * schemas of the database. Schemas that are left behind would slow down the next opening. Also, a
 * worker must not drop schemas while another describes them.
 */
function ownDatabase(): Promise<string> {
  ownDatabaseUrl ??= createOwnDatabase()
  return ownDatabaseUrl
}

async function createOwnDatabase(): Promise<string> {
  const server = await testPostgres()
  const name = `worker_${process.env.VITEST_POOL_ID ?? ''}`
  const url = new URL(server)
  url.pathname = name
  try {
    await queryPostgres(server, `create database ${name}`)
    await queryPostgres(url.href, NOTE_CHANGES)
  } catch (error) {
    // An earlier process of this worker made it.
    if (!(error instanceof pg.DatabaseError) || error.code !== DUPLICATE_DATABASE) throw error
  }
  return url.href
}

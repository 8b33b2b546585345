import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import pg from 'pg'
import type { Database, Migrations } from './database.js'
import { openDatabase } from './open-database.js'

/** An engine that conformance suites run on: a fresh, empty database for each `open`, gone once it is closed. */
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
      const url = process.env[TEST_POSTGRES_URL]
      if (url === undefined)
        throw new Error(`${TEST_POSTGRES_URL} is not set: run the tests with npm test`)
      const schema = `test_${randomUUID().replaceAll('-', '')}`
      const database = await openDatabase<Tables>({ url, schema, migrations })
      return afterClosing(database, () => dropSchema(url, schema))
    },
  },
]

const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 512 * 1024 * 1024

/** Linux's folder in memory, where it has room: on a disk, each of the tests' many commits waits for it. */
function folderForDatabases(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    if (bavail * bsize >= MEMORY_BYTES_MIN) return MEMORY_FOLDER
  } catch {
    // Other systems have no such folder.
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

/** Before a migration Kysely lists the tables of all schemas, so each schema left behind makes the next opening slower. */
async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`drop schema ${schema} cascade`)
  } finally {
    await client.end()
  }
}

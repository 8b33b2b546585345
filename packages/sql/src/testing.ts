import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import type { Database, Migrations } from './database.js'
import { openDatabase } from './open-database.js'

export { queriesThatScan, recordQueries } from './testing-plans.js'

/** An engine that conformance suites run on: a fresh, empty database for each `open`. */
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
      const folder = mkdtempSync(path.join(tmpdir(), 'cofre-test-'))
      const url = `sqlite:${path.join(folder, 'test.db')}`
      const database = await openDatabase<Tables>({ url, schema: 'test', migrations })
      const close = async (): Promise<void> => {
        await database.close()
        rmSync(folder, { recursive: true })
      }
      return { ...database, close }
    },
  },
  {
    name: 'postgres',
    open<Tables>(migrations: Migrations): Promise<Database<Tables>> {
      const url = process.env[TEST_POSTGRES_URL]
      if (url === undefined)
        throw new Error(`${TEST_POSTGRES_URL} is not set: run the tests with npm test`)
      const schema = `test_${randomUUID().replaceAll('-', '')}`
      return openDatabase<Tables>({ url, schema, migrations })
    },
  },
]

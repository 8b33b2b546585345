import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Database, DatabaseOptions } from './database.js'
import { POSTGRES } from './dialect.js'
import { migrate } from './migrate.js'

const POOL_CONNECTIONS_MAX = 20
const CONNECT_TIMEOUT_MS = 10_000

/** Opens a schema of a PostgreSQL database (created when absent) and applies the missing migrations. */
export async function openPostgresDatabase<Tables>({
  url,
  schema,
  migrations,
}: DatabaseOptions): Promise<Database<Tables>> {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `-c search_path=${schema}`,
    types: typesWithSafeIntegers(),
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  let migrated: readonly string[]
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(database)
    migrated = await migrate(database, migrations, schema)
  } catch (error) {
    await database.destroy()
    throw error
  }
  return {
    dialect: POSTGRES,
    migrated,
    reader: database,
    transact: (work) => database.transaction().execute(work),
    close: () => database.destroy(),
  }
}

/** Times, amounts and codes fit a double exactly, so `bigint` columns are numbers on both engines. */
function typesWithSafeIntegers(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, safeInteger)
  return types
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError('a bigint column exceeds the safe integers')
  return value
}

import { Socket } from 'node:net'
import { Kysely, PostgresDriver, sql } from 'kysely'
import pg from 'pg'
import { Connection, type Statement, resultsByName } from '../database/connection.js'
import { DamageWatch } from '../errors/damage.js'
import { SERVER_IS_SILENT } from '../errors/unavailability.js'
import type { Database, DatabaseOptions } from '../database/database.js'
import { POSTGRES, kyselyDialect } from '../database/dialect.js'
import { migrate } from '../database/migrate.js'
import { postgresServers } from './postgres-hosts.js'
import { refuseOlderSessions, sessionName } from './older-sessions.js'
import { PostgresGroupCommit } from './postgres-group-commit.js'
import { transactOn } from './postgres-transaction.js'
import { type ConnectionPool, type ServerConfig, createPool } from './primary-pool.js'
import { SharedReads } from './shared-reads.js'

const CONNECTIONS_MAX = 20
/** Those for prepared reads and groups of units of work, of which six work at once. */
const PREPARED_CONNECTIONS_MAX = 8
const CONNECT_TIMEOUT_MS = 10_000
/**
 * The server ends a statement, or an abandoned unit of work, before the connection counts as
 * silent.
 */
const STATEMENT_TIMEOUT_MS = 25_000
const SILENCE_MAX_MS = 30_000

/**
 * Opens a schema of a PostgreSQL database (created if absent) and applies the missing migrations. A
 * connection that breaks or falls silent fails its units of work and is replaced. If the URL names
 * several servers, the one that takes writes is used, also after it changes.
 * @param silenceMaxMs - How long a connection may be silent before it is dropped with its queries.
 */
export async function openPostgresDatabase<Tables>(
  options: DatabaseOptions,
  silenceMaxMs: number = SILENCE_MAX_MS,
): Promise<Database<Tables>> {
  const migrated = await prepareSchema(options)
  return { ...(await openOn<Tables>(poolsTo(options, silenceMaxMs), options.attached)), migrated }
}

/**
 * With several servers there is one pool: two could take different servers for the one that takes
 * writes, and reads would miss what was just committed.
 */
function poolsTo(options: DatabaseOptions, silenceMaxMs: number): Pools {
  if (postgresServers(options.url).findsPrimary) {
    const pool = connectionsTo(options, { silenceMaxMs })
    return { pool, preparedPool: pool }
  }
  const max = CONNECTIONS_MAX - PREPARED_CONNECTIONS_MAX
  const prepared = { max: PREPARED_CONNECTIONS_MAX, settings: PLANNED_ONCE }
  return {
    pool: connectionsTo(options, { silenceMaxMs, max }),
    preparedPool: connectionsTo(options, { silenceMaxMs, ...prepared }),
  }
}

/**
 * Otherwise PostgreSQL plans many prepared queries at each run, which takes longer than they do.
 * Their values are never in the conditions of partial indexes, so one plan fits all.
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan'

export interface Pooling {
  readonly silenceMaxMs?: number
  readonly max?: number
  /** Options of the server for each connection. */
  readonly settings?: string
}

export function connectionsTo(
  place: Place,
  { silenceMaxMs = SILENCE_MAX_MS, max = CONNECTIONS_MAX, settings = '' }: Pooling = {},
): ConnectionPool {
  const config = configOf(place)
  return createPool({
    ...config,
    max,
    options: `${config.options} ${settings}`,
    pipeline: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    stream: () => socketThatEnds(silenceMaxMs),
  })
}

interface Pools {
  readonly pool: ConnectionPool
  /** For prepared queries outside of units of work that decide as they go. */
  readonly preparedPool: ConnectionPool
}

/** Opens a schema whose migrations are applied. Closing it ends the connections. */
export async function openOn<Tables>(
  { pool, preparedPool }: Pools,
  attached?: unknown,
): Promise<Database<Tables>> {
  const damage = new DamageWatch()
  const reads = new SharedReads(preparedPool)
  const reader = new Connection<Tables>({
    engine: 'postgres',
    driver: new PostgresDriver({ pool }),
    run: (statement) => damage.over(reads.run(statement)),
    failed: damage.failed,
    attached,
  })
  const commits = new PostgresGroupCommit(preparedPool, pool, CONNECT_TIMEOUT_MS)
  // Kysely ends only what it has begun: a database without a query would still answer once closed.
  await sql`select 1`.execute(reader)
  return {
    dialect: POSTGRES,
    migrated: [],
    damaged: damage.signal,
    reader,
    transact: (work) => damage.over(transactOn(pool, work, attached)),
    async commit(statements, begun = () => undefined) {
      const all: readonly Statement[] = Object.values(statements)
      const lock = all.find((statement) => statement.lock !== undefined)?.lock
      const asked = all.map((statement) => statement.on('postgres'))
      const committing = commits.transact({ statements: asked, lock, begun })
      return resultsByName(statements, await damage.over(committing))
    },
    async close() {
      await Promise.all([commits.idle(), reads.idle()])
      await reader.destroy()
      if (preparedPool !== pool) await preparedPool.end()
    },
  }
}

type Place = Pick<DatabaseOptions, 'url' | 'schema' | 'migrations'>

function configOf({ url, schema, migrations }: Place): ServerConfig {
  return {
    connectionString: url,
    application_name: sessionName(schema, migrations),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    options: `-c search_path=${schema}`,
    types: typesWithSafeIntegers(),
  }
}

/** A silent connection waits for a server that is gone; idle ones are closed long before. */
function socketThatEnds(silenceMaxMs: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(silenceMaxMs, () => {
    socket.destroy(new Error(SERVER_IS_SILENT))
  })
}

/** Uses its own connections: a migration, or the wait for another process's, may take long. */
async function prepareSchema(options: DatabaseOptions): Promise<readonly string[]> {
  const { schema, migrations } = options
  const database = new Kysely<unknown>({
    dialect: kyselyDialect('postgres', new PostgresDriver({ pool: createPool(configOf(options)) })),
  })
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(database)
    const refuseOthers = () => refuseOlderSessions(database, { schema, migrations })
    return await migrate({ database, migrations, schema, refuseOthers })
  } finally {
    await database.destroy()
  }
}

/**
 * Times, amounts and codes fit a double exactly, so `bigint` columns are numbers on both engines.
 */
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

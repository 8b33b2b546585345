import {
  CompiledQuery,
  type Driver,
  type Kysely,
  type Dialect as KyselyDialect,
  type LimitNode,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import { SchemaNames } from './schema-names.js'

export type Engine = 'sqlite' | 'postgres'

/**
 * The differences between the engines, by name. Everything else is one SQL statement for both: row
 * locks (`forUpdate`, `skipLocked`) are left out on SQLite, which has one writer at a time.
 */
export interface Dialect {
  readonly engine: Engine
  /** True if several processes may work on the database at once. */
  readonly sharedByProcesses: boolean
  /**
   * A unit of work that fails if nothing can be written. It leaves everything as it was, and
   * doesn't take more room each time.
   */
  readonly writeProbe: readonly string[]
}

export const SQLITE: Dialect = {
  engine: 'sqlite',
  sharedByProcesses: false,
  // A free number in the file's header, which databases of Cofre don't use. SQLite writes it even
  // if it stays the same.
  writeProbe: ['pragma user_version = 0'],
}
export const POSTGRES: Dialect = {
  engine: 'postgres',
  sharedByProcesses: true,
  writeProbe: [
    // One row in each of our schemas. No other code touches it: on PostgreSQL, migrations lock by
    // other means. Probes don't wait for each other, because a frozen machine would hold one open.
    `update kysely_migration_lock set is_locked = is_locked
      where id in (select id from kysely_migration_lock for update skip locked)`,
    // The row fits where it was, even on a full disk, where new rows don't. So this makes the
    // server need more room than its memory: a temporary file beside its tables.
    "set local work_mem = '64kB'",
    "set local temp_tablespaces = ''",
    'select count(*) from generate_series(1, 10000)',
  ],
}

/** How Kysely writes the SQL of an engine and, with a driver, runs it. */
export function kyselyDialect(engine: Engine, driver: Driver): KyselyDialect {
  const isSqlite = engine === 'sqlite'
  return {
    createDriver: () => driver,
    createAdapter: () => (isSqlite ? new TransactionalSqliteAdapter() : new PostgresAdapter()),
    createIntrospector: (db: Kysely<unknown>) =>
      isSqlite ? new SqliteIntrospector(db) : new SchemaNames(db),
    createQueryCompiler: () => (isSqlite ? new OwnSqliteCompiler() : new PostgresQueryCompiler()),
  }
}

/**
 * Kysely's way to one connection that its owner opens and closes.
 * @param begin - Begins a transaction; without it, Kysely's own transactions are refused.
 */
export function driverOver(
  run: (query: CompiledQuery) => Promise<QueryResult<never>>,
  begin?: string,
): Driver {
  const execute = async (sql: string): Promise<void> => {
    if (begin === undefined) throw new Error('a unit of work contains no transaction of its own')
    await run(CompiledQuery.raw(sql))
  }
  const streamQuery = (): never => {
    throw new Error('rows are not streamed')
  }
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve({ executeQuery: run, streamQuery }),
    beginTransaction: () => execute(begin ?? ''),
    commitTransaction: () => execute('commit'),
    rollbackTransaction: () => execute('rollback'),
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  }
}

/**
 * Kysely migrates SQLite without a transaction: a process killed in the middle would leave a
 * database that no start can migrate.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class OwnSqliteCompiler extends SqliteQueryCompiler {
  /** No locks: units of work run one after another. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate' && node.modifier !== 'SkipLocked')
      super.visitSelectModifier(node)
  }

  /**
   * SQLite plans by the value of a limit, and so prepares a statement anew at each run if the limit
   * is a parameter, unless it is part of an expression.
   */
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node)
    if (ValueNode.is(node.limit) && node.limit.immediate !== true) this.append(' + 0')
  }
}

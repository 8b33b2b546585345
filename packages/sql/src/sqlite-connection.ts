import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult, SqliteDatabase } from 'kysely'
import type { Statement, StatementRunner } from './prepared-query.js'

const STATEMENTS_CACHED_MAX = 500

type KyselyStatement = ReturnType<SqliteDatabase['prepare']>

/** Watches what a connection runs. */
export interface ConnectionWatch {
  /** Is called before each statement is run. */
  readonly before?: () => void
  /** Is told of each statement that failed. */
  readonly failed: (error: unknown) => void
}

/** An SQLite connection that prepares each statement once: for Kysely, and for queries that go past it. */
export class SqliteConnection implements SqliteDatabase, StatementRunner {
  readonly #connection: DatabaseSync
  readonly #watch: ConnectionWatch
  readonly #known = new Map<string, KyselyStatement>()

  constructor(connection: DatabaseSync, watch: ConnectionWatch) {
    this.#connection = connection
    this.#watch = watch
  }

  prepare(sql: string): KyselyStatement {
    const known = this.#known.get(sql)
    if (known !== undefined) return known
    const statement = watched(this.#watch, () =>
      kyselyStatement(this.#connection.prepare(sql), this.#watch),
    )
    if (this.#known.size >= STATEMENTS_CACHED_MAX) this.#known.clear()
    this.#known.set(sql, statement)
    return statement
  }

  close(): void {
    // The database that opened the connection closes it.
  }

  // Async, so that what fails rejects and never throws.
  // eslint-disable-next-line @typescript-eslint/require-await
  async run(statement: Statement): Promise<QueryResult<unknown>> {
    return this.execute(statement)
  }

  later(statement: Statement): void {
    this.execute(statement)
  }

  execute({ sql, parameters }: Statement): QueryResult<unknown> {
    const statement = this.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) }
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
  }
}

/** `node:sqlite` in the shape that Kysely's SQLite dialect drives. */
function kyselyStatement(statement: StatementSync, watch: ConnectionWatch): KyselyStatement {
  const names = statement.columns().map(({ name }) => name)
  // As arrays, because the objects that it would make have no prototype, and are slow to make and to read.
  statement.setReturnArrays(true)
  const rowOf = (values: unknown): Record<string, unknown> => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) row[name] = (values as unknown[])[index]
    return row
  }
  return {
    reader: names.length > 0,
    all(parameters) {
      watch.before?.()
      return watched(watch, () => statement.all(...(parameters as SQLInputValue[])).map(rowOf))
    },
    run(parameters) {
      watch.before?.()
      return watched(watch, () => statement.run(...(parameters as SQLInputValue[])))
    },
    *iterate(parameters) {
      watch.before?.()
      for (const values of statement.iterate(...(parameters as SQLInputValue[])))
        yield rowOf(values)
    },
  }
}

function watched<T>({ failed }: ConnectionWatch, work: () => T): T {
  try {
    return work()
  } catch (error) {
    failed(error)
    throw error
  }
}

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult, SqliteDatabase } from 'kysely'
import type { Statement, StatementRunner } from './prepared-query.js'

const STATEMENTS_CACHED_MAX = 500

type KyselyStatement = ReturnType<SqliteDatabase['prepare']>

/** An SQLite connection that prepares each statement once: for Kysely, and for queries that go past it. */
export class SqliteConnection implements SqliteDatabase, StatementRunner {
  readonly #connection: DatabaseSync
  readonly #known = new Map<string, KyselyStatement>()

  constructor(connection: DatabaseSync) {
    this.#connection = connection
  }

  prepare(sql: string): KyselyStatement {
    const known = this.#known.get(sql)
    if (known !== undefined) return known
    const statement = kyselyStatement(this.#connection.prepare(sql))
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
    return this.#execute(statement)
  }

  later(statement: Statement): void {
    this.#execute(statement)
  }

  #execute({ sql, parameters }: Statement): QueryResult<unknown> {
    const statement = this.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) }
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
  }
}

/** `node:sqlite` in the shape that Kysely's SQLite dialect drives. */
function kyselyStatement(statement: StatementSync): KyselyStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  }
}

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import type { EngineStatement } from '../database/connection.js'

const STATEMENTS_CACHED_MAX = 500

/** An SQLite connection that prepares each statement once: for Kysely, and for prepared queries. */
export class SqliteConnection {
  readonly #connection: DatabaseSync
  readonly #failed: (error: unknown) => void
  readonly #known = new Map<string, (parameters: readonly unknown[]) => QueryResult<never>>()

  /** @param failed - Called with the error of each statement that failed. */
  constructor(connection: DatabaseSync, failed: (error: unknown) => void) {
    this.#connection = connection
    this.#failed = failed
  }

  execute({ sql, parameters }: EngineStatement): QueryResult<never> {
    try {
      return this.#prepared(sql)(parameters)
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  #prepared(sql: string) {
    const known = this.#known.get(sql)
    if (known !== undefined) return known
    const run = runner(this.#connection.prepare(sql))
    if (this.#known.size >= STATEMENTS_CACHED_MAX) this.#known.clear()
    this.#known.set(sql, run)
    return run
  }
}

function runner(statement: StatementSync) {
  const names = statement.columns().map(({ name }) => name)
  if (names.length === 0)
    return (parameters: readonly unknown[]): QueryResult<never> => {
      const { changes } = statement.run(...(parameters as SQLInputValue[]))
      return { rows: [], numAffectedRows: BigInt(changes) }
    }
  // As arrays: the objects that it would make have no prototype, and are slow to make and to read.
  statement.setReturnArrays(true)
  return (parameters: readonly unknown[]): QueryResult<never> => ({
    rows: statement
      .all(...(parameters as SQLInputValue[]))
      .map((values) => rowOf(names, values)) as never[],
  })
}

function rowOf(names: readonly string[], values: unknown): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = (values as unknown[])[index]
  return row
}

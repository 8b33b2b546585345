import { CompiledQuery, type Driver, Kysely, type LogEvent, type QueryResult } from 'kysely'
import { type Engine, kyselyDialect } from './dialect.js'

/** A statement as one engine runs it. */
export interface EngineStatement {
  /** Names the query for a server that keeps prepared statements; absent when it is run once. */
  readonly name?: string
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** A prepared query with its values: for {@link Connection.run} and {@link Database.commit}. */
export interface Statement<Row = unknown> {
  on(engine: Engine): EngineStatement
  /** What {@link namedLock} locks. */
  readonly lock?: string
  /** For the type checker only: what the statement returns. */
  readonly row?: Row
}

/** What a statement did. */
export interface StatementResult<Row = unknown> {
  readonly rows: readonly Row[]
  /** How many rows it wrote, if it returns none. */
  readonly written: number
}

/** What each of several statements did, by the names that the caller gave them. */
export type StatementResults<Statements> = {
  readonly [Name in keyof Statements]-?: Statements[Name] extends Statement<infer Row> | undefined
    ? StatementResult<Row>
    : never
}

/** What a connection runs its queries with. */
export interface ConnectionParts {
  readonly engine: Engine
  /** Runs what Kysely builds. */
  readonly driver: Driver
  /** Runs prepared queries. */
  readonly run: (statement: EngineStatement) => Promise<QueryResult<unknown>>
  /** Called with the error of each of Kysely's queries that fails. */
  readonly failed?: (error: unknown) => void
}

/** Runs queries: on what is committed, or in one unit of work. */
export class Connection<Tables> extends Kysely<Tables> {
  readonly #parts: ConnectionParts

  constructor(parts: ConnectionParts) {
    const { engine, driver, failed } = parts
    const log = (event: LogEvent): void => {
      if (event.level === 'error') failed?.(event.error)
    }
    super({ dialect: kyselyDialect(engine, driver), ...(failed && { log }) })
    this.#parts = parts
  }

  /** Runs a prepared query. */
  async run<Row>(statement: Statement<Row>): Promise<StatementResult<Row>> {
    const { engine, run } = this.#parts
    return resultOf(await run(statement.on(engine)))
  }
}

/** The results of statements that ran in their order. */
export function resultsByName<Statements extends object>(
  statements: Statements,
  results: readonly QueryResult<unknown>[],
): StatementResults<Statements> {
  const named = Object.keys(statements).map((name, index) => [
    name,
    resultOf(results[index] ?? { rows: [] }),
  ])
  return Object.fromEntries(named) as StatementResults<Statements>
}

function resultOf<Row>({ rows, numAffectedRows = 0n }: QueryResult<unknown>): StatementResult<Row> {
  return { rows: rows as Row[], written: Number(numAffectedRows) }
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

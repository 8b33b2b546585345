import {
  type Compilable,
  type Driver,
  DummyDriver,
  Kysely,
  type LogEvent,
  type QueryResult,
} from 'kysely'
import { type Engine, kyselyDialect } from './dialect.js'
import { RenamedTables, type TableNames } from './renamed-tables.js'

/** A statement as one engine runs it. */
export type EngineStatement = PlainStatement | PreparedStatement

/** A statement that is run once. */
interface PlainStatement {
  readonly name?: undefined
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** A statement of a query that is run again and again, which a server keeps by its name. */
export interface PreparedStatement {
  readonly name: string
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** A prepared query with its values: for {@link Connection.run} and {@link Database.commit}. */
export interface Statement<Row = unknown> {
  /** @param names - What it calls tables instead. */
  on(engine: Engine, names?: TableNames): PreparedStatement
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
  readonly run: (statement: PreparedStatement) => Promise<QueryResult<unknown>>
  /**
   * Runs prepared queries in their order, in one round trip. Without it they run one by one.
   * @throws the error of the first that failed
   */
  readonly runInOrder?: (
    statements: readonly PreparedStatement[],
  ) => Promise<readonly QueryResult<unknown>[]>
  /** Called with the error of each of Kysely's queries that fails. */
  readonly failed?: (error: unknown) => void
  /** What its queries call tables instead. */
  readonly names?: TableNames
  /** See {@link Connection.attached}. */
  readonly attached?: unknown
}

/** Runs queries: on what is committed, or in one unit of work. */
export class Connection<Tables> extends Kysely<Tables> {
  readonly #parts: ConnectionParts
  readonly #renamed = new Map<TableNames, Connection<Tables>>()

  constructor(parts: ConnectionParts) {
    const { engine, driver, failed, names } = parts
    const log = (event: LogEvent): void => {
      if (event.level === 'error') failed?.(event.error)
    }
    super({
      dialect: kyselyDialect(engine, driver),
      ...(failed && { log }),
      ...(names && { plugins: [new RenamedTables(names)] }),
    })
    this.#parts = parts
  }

  get engine(): Engine {
    return this.#parts.engine
  }

  /** What its database was opened with, in each unit of work and whatever tables are called. */
  get attached(): unknown {
    return this.#parts.attached
  }

  /**
   * The same, of which each query asks other tables of the same columns. One for each names: every
   * instance of Kysely wraps the connections of its driver for itself, and they outlive it.
   */
  renamed(names: TableNames): Connection<Tables> {
    const renamed = this.#renamed.get(names) ?? new Connection({ ...this.#parts, names })
    this.#renamed.set(names, renamed)
    return renamed
  }

  /** Runs a prepared query. */
  async run<Row>(statement: Statement<Row>): Promise<StatementResult<Row>> {
    const { engine, names, run } = this.#parts
    return resultOf(await run(statement.on(engine, names)))
  }

  /**
   * Runs prepared queries in their order: each sees what those before it wrote. A unit of work on
   * PostgreSQL sends them in one round trip.
   * @throws the error of the first that failed; those after it are not run
   */
  async runInOrder<Statements extends Readonly<Record<string, Statement>>>(
    statements: Statements,
  ): Promise<StatementResults<Statements>> {
    const { engine, names, run, runInOrder = oneByOne(run) } = this.#parts
    const asked = Object.values(statements).map((statement) => statement.on(engine, names))
    return resultsByName(statements, asked.length === 0 ? [] : await runInOrder(asked))
  }
}

function oneByOne(run: ConnectionParts['run']) {
  return async (statements: readonly PreparedStatement[]) => {
    const results: QueryResult<unknown>[] = []
    for (const statement of statements) results.push(await run(statement))
    return results
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

/** What a column of either engine takes. */
export type SqlValue = string | number | null

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

let prepared = 0

/** `*` in the place of columns, as Kysely compiles it; not that of `count(*)`. */
const ALL_COLUMNS = /(?:select|returning|,) (?:"\w+"\.)?\*/

/**
 * Prepares a query whose SQL is always the same. Called with its values, it is a statement.
 * It names the columns that it reads: with `*`, PostgreSQL would refuse it on every connection that
 * knows it, once the process of a newer release has added a column.
 * @param build - Called once for each engine, with placeholders in the place of the values: it may
 * put them into the query, and cannot look at them. Every value is there each time, null for none:
 * the first caller's would decide for all what an optional one does to the SQL.
 */
export function prepare<Tables, Input extends { readonly [Name in keyof Input]-?: SqlValue }, Row>(
  build: (db: Connection<Tables>, input: Input) => Compilable<Row>,
): (input: Input) => Statement<Row> {
  const compiled = new Map<TableNames, Map<Engine, ReturnType<typeof compile>>>()
  const compile = (input: Input, engine: Engine, names: TableNames) => {
    const run = () => Promise.reject(new Error('a query that is being prepared runs no other'))
    const db = new Connection<Tables>({ engine, driver: new DummyDriver(), run, names })
    const { sql, parameters } = build(db, placeholdersOf(input)).compile()
    if (ALL_COLUMNS.test(sql)) throw new Error('a prepared query names the columns that it reads')
    return { name: `cofre_${++prepared}`, sql, parameters }
  }
  return (input) => ({
    on(engine, names = NO_NAMES) {
      const byEngine = compiled.get(names) ?? new Map<Engine, ReturnType<typeof compile>>()
      compiled.set(names, byEngine)
      const query = byEngine.get(engine) ?? compile(input, engine, names)
      byEngine.set(engine, query)
      const parameters = query.parameters.map((parameter) => valueOf(parameter, input))
      return { name: query.name, sql: query.sql, parameters }
    },
  })
}

const NO_NAMES: TableNames = new Map()

function placeholdersOf<Input extends object>(input: Input): Input {
  const names = Object.keys(input).map((name) => [name, new Placeholder(name)])
  return Object.fromEntries(names) as Input
}

function valueOf(parameter: unknown, input: Readonly<Record<string, SqlValue>>): SqlValue {
  if (!(parameter instanceof Placeholder)) return parameter as SqlValue
  const value = input[parameter.name]
  if (value === undefined) throw new Error(`a prepared query has no value for ${parameter.name}`)
  return value
}

const LOCK = {
  // SQLite runs units of work one after the other anyway.
  sqlite: 'select ?',
  // Locks no row, so that none need exist. The server releases it with the transaction.
  postgres: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
}

/**
 * The first statement of units of work that name the same lock: each waits until the one before it
 * is committed. Others do not wait for them.
 */
export function namedLock(lock: string): Statement {
  return { on: (engine) => ({ name: 'cofre_lock', sql: LOCK[engine], parameters: [lock] }), lock }
}

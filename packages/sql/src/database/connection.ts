import {
  type Compilable,
  type Driver,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  type LogEvent,
  type QueryResult,
} from 'kysely'
import { type Engine, kyselyDialect } from './dialect.js'
import { LITERAL_CONSTANTS } from './literal-constants.js'
import { type TableNames, renamingTables } from './renamed-tables.js'

/** A statement as one engine runs it. */
export type EngineStatement = PlainStatement | PreparedStatement

/** A statement that runs once. */
interface PlainStatement {
  readonly name?: undefined
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** A statement that runs again and again, and that a server keeps by its name. */
export interface PreparedStatement {
  readonly name: string
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** A prepared query with its values: for {@link Connection.run} and {@link Database.commit}. */
export interface Statement<Row = unknown> {
  /** @param names - Other names for its tables. */
  on(engine: Engine, names?: TableNames): PreparedStatement
  /** The name that {@link namedLock} locks. */
  readonly lock?: string
  /** For the type checker only: what the statement returns. */
  readonly row?: Row
}

export interface StatementResult<Row = unknown> {
  readonly rows: readonly Row[]
  /** The number of rows that it wrote, if it returns none. */
  readonly written: number
}

/** The outcomes of several statements, by the names that the caller gave them. */
export type StatementResults<Statements> = {
  readonly [Name in keyof Statements]-?: Statements[Name] extends Statement<infer Row> | undefined
    ? StatementResult<Row>
    : never
}

export interface ConnectionParts {
  readonly engine: Engine
  /** Runs what Kysely builds. */
  readonly driver: Driver
  /** Runs prepared queries. */
  readonly run: (statement: PreparedStatement) => Promise<QueryResult<unknown>>
  /**
   * Runs prepared queries in order, in one round trip. Without it, they run one by one.
   * @throws the error of the first that failed
   */
  readonly runInOrder?: (
    statements: readonly PreparedStatement[],
  ) => Promise<readonly QueryResult<unknown>[]>
  /** Called with the error of each failed query of Kysely's. */
  readonly failed?: (error: unknown) => void
  /** Other names for the tables of its queries. */
  readonly names?: TableNames
  /** Changes how its queries are written. */
  readonly plugin?: KyselyPlugin
  /** See {@link Connection.attached}. */
  readonly attached?: unknown
}

/** Runs queries: on committed data, or in one unit of work. */
export class Connection<Tables> extends Kysely<Tables> {
  readonly #parts: ConnectionParts
  readonly #renamed = new Map<TableNames, Connection<Tables>>()

  constructor(parts: ConnectionParts) {
    const { engine, driver, failed, names, plugin } = parts
    const log = (event: LogEvent): void => {
      if (event.level === 'error') failed?.(event.error)
    }
    super({
      dialect: kyselyDialect(engine, driver),
      ...(failed && { log }),
      plugins: [...(names ? [renamingTables(names)] : []), ...(plugin ? [plugin] : [])],
    })
    this.#parts = parts
  }

  get engine(): Engine {
    return this.#parts.engine
  }

  /**
   * The value that its database was opened with, also in units of work and with other table names.
   */
  get attached(): unknown {
    return this.#parts.attached
  }

  /**
   * A connection whose queries use other tables with the same columns. There is one for each map of
   * names: every instance of Kysely wraps its driver's connections, and they outlive it.
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
   * Runs a worker's search for due work, which is built anew each time but seldom differs in its
   * SQL: an engine keeps it like a prepared query, and a server gets all searches of one turn of
   * the event loop together.
   */
  async poll<Row>(search: Compilable<Row>): Promise<readonly Row[]> {
    const query = search.compile()
    const { sql, parameters } = query
    const isShort = parameters.length <= KEPT_PARAMETERS_MAX && parameters.every(isSqlValue)
    const mayKeep = isShort && !ALL_COLUMNS.test(sql)
    const name = mayKeep ? nameOfSearch(sql) : undefined
    if (name === undefined) return (await this.executeQuery(query)).rows
    const asked = { name, sql, parameters: parameters.filter(isSqlValue) }
    return resultOf<Row>(await this.#parts.run(asked)).rows
  }

  /**
   * Runs prepared queries in order: each sees what those before it wrote. A unit of work on
   * PostgreSQL sends them in one round trip.
   * @throws the error of the first that failed; those after it don't run
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

/** The results of statements that ran in order. */
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

/** A value that columns of both engines accept. */
export type SqlValue = string | number | null

function isSqlValue(value: unknown): value is SqlValue {
  return typeof value === 'string' || typeof value === 'number' || value === null
}

/** Searches beyond these differ too often to be kept, such as those with long lists. */
const SEARCHES_MAX = 200
const KEPT_PARAMETERS_MAX = 16
const searches = new Map<string, string>()

/** The name under which an engine keeps a search; absent if there are too many. */
function nameOfSearch(sql: string): string | undefined {
  const known = searches.get(sql)
  if (known !== undefined || searches.size === SEARCHES_MAX) return known
  const name = `cofre_search_${searches.size}`
  searches.set(sql, name)
  return name
}

/** Replaces a value while a query is built. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

let prepared = 0

/** `*` as the columns of a query, as Kysely compiles it, but not `count(*)`. */
const ALL_COLUMNS = /(?:select|returning|,) (?:"\w+"\.)?\*/

/**
 * Prepares a query whose SQL is always the same. Called with its values, it returns a statement.
 * The query names the columns that it reads. With `*`, PostgreSQL would refuse it on every
 * connection that knows it, once a newer release has added a column.
 * @param build - Called once for each engine, with placeholders for the values: it can put them
 * into the query, but can't inspect them. Every value is there each time, null for none: otherwise
 * the first call would decide for all how an optional value changes the SQL.
 */
export function prepare<Tables, Input extends { readonly [Name in keyof Input]-?: SqlValue }, Row>(
  build: (db: Connection<Tables>, input: Input) => Compilable<Row>,
): (input: Input) => Statement<Row> {
  const compiled = new Map<TableNames, Map<Engine, ReturnType<typeof compile>>>()
  const compile = (input: Input, engine: Engine, names: TableNames) => {
    const run = () => Promise.reject(new Error('a query that is being prepared runs no other'))
    const plugin = LITERAL_CONSTANTS
    const db = new Connection<Tables>({ engine, driver: new DummyDriver(), run, names, plugin })
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
  // SQLite runs units of work one after another anyway.
  sqlite: 'select ?',
  // Locks no row, so none needs to exist. The server releases it with the transaction.
  postgres: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
}

/**
 * The first statement of units of work that share a named lock: each waits until the one before it
 * is committed. Other units of work don't wait.
 */
export function namedLock(lock: string): Statement {
  return { on: (engine) => ({ name: 'cofre_lock', sql: LOCK[engine], parameters: [lock] }), lock }
}

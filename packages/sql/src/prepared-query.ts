import type { CompiledQuery, Kysely, QueryResult } from 'kysely'

/** What a column of either engine takes. */
export type SqlValue = string | number | null

/** A statement as an engine runs it. */
export interface Statement {
  /** Names the query for a server that keeps prepared statements. */
  readonly name: string
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** What units of work take turns at from this statement on: see {@link takeTurn}. */
  readonly turn?: string
}

/** Runs statements on one connection, past Kysely. A statement is on its way when the call returns. */
export interface StatementRunner {
  run(statement: Statement): Promise<QueryResult<unknown>>
  /** Within a unit of work: the unit's commit waits for the statement, the unit itself does not. */
  later?(statement: Statement): void
}

/** A prepared query with its values: a part of a unit of work whose statements are all known before it begins. */
export interface Step<Tables, Row> {
  /** As the engine of this database runs it. */
  statementOn(db: Kysely<Tables>): Statement
  /** Of a type only: the rows that it answers. */
  readonly row?: Row
}

/** What a step did. */
interface StepResult<Row> {
  readonly rows: readonly Row[]
  /** How many rows it wrote, if it returns none. */
  readonly written: number
}

/** What each step did. */
export type StepResults<Steps extends readonly unknown[]> = {
  readonly [Index in keyof Steps]: Steps[Index] extends { readonly row?: infer Row }
    ? StepResult<Row>
    : never
}

const runners = new WeakMap<object, StatementRunner>()

/** Lets prepared queries of a Kysely instance go straight to its connection. */
export function runPreparedBy<Tables>(db: Kysely<Tables>, runner: StatementRunner): Kysely<Tables> {
  runners.set(db, runner)
  return db
}

/** A query that Kysely built once: running it again costs neither building nor compiling. */
export interface PreparedQuery<Tables, Input, Row> {
  all(db: Kysely<Tables>, input: Input): Promise<Row[]>
  first(db: Kysely<Tables>, input: Input): Promise<Row | undefined>
  /** Runs it and counts the rows that it wrote. */
  write(db: Kysely<Tables>, input: Input): Promise<number>
  /**
   * Runs it in a unit of work that needs no answer from it: it travels to a server together with what follows, the commit
   * included. A failure of it fails the unit.
   */
  later(unit: Kysely<Tables>, input: Input): void
  /** For {@link Database.commit}. */
  step(input: Input): Step<Tables, Row>
}

interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

interface Shape {
  readonly sql: string
  /** Each reads one parameter. */
  readonly parameters: readonly ((input: Readonly<Record<string, SqlValue>>) => unknown)[]
}

let prepared = 0

/** `*` in the place of columns, as Kysely compiles it; not that of `count(*)`. */
const ALL_COLUMNS = /(?:select|returning|,) (?:"\w+"\.)?\*/

/**
 * Prepares a query whose SQL is always the same, and names the columns that it reads: with `*`, PostgreSQL would refuse it
 * on every connection that knows it, once the process of a newer release has added a column.
 * @param build - Called once for each connection, with placeholders in the place of the values: it may put them into the
 * query, and cannot look at them. Every call of the query gives the same names.
 */
export function prepare<Tables, Input extends { readonly [Name in keyof Input]: SqlValue }, Row>(
  build: (db: Kysely<Tables>, input: Input) => Compilable<Row>,
): PreparedQuery<Tables, Input, Row> {
  const name = `cofre_${++prepared}`
  const shapes = new WeakMap<object, Shape>()
  const statementOf = (db: Kysely<Tables>, input: Input): Statement => {
    let shape = shapes.get(db)
    if (shape === undefined) shapes.set(db, (shape = shapeOf(build(db, placeholdersOf(input)))))
    return { name, sql: shape.sql, parameters: shape.parameters.map((read) => read(input)) }
  }
  const run = async (db: Kysely<Tables>, input: Input): Promise<QueryResult<Row>> =>
    (await runnerOf(db).run(statementOf(db, input))) as QueryResult<Row>
  return {
    all: async (db, input) => (await run(db, input)).rows,
    first: async (db, input) => (await run(db, input)).rows[0],
    write: async (db, input) => Number((await run(db, input)).numAffectedRows ?? 0),
    later(unit, input) {
      const runner = runnerOf(unit)
      if (runner.later === undefined) throw new Error('only a unit of work has something later')
      runner.later(statementOf(unit, input))
    },
    step: (input) => ({ statementOn: (db) => statementOf(db, input) }),
  }
}

/** @param results - Of the steps, in their order. */
export function stepResults<Steps extends readonly unknown[]>(
  results: readonly QueryResult<unknown>[],
): StepResults<Steps> {
  const done = results.map(({ rows, numAffectedRows }) => ({
    rows,
    written: Number(numAffectedRows ?? 0),
  }))
  return done as unknown as StepResults<Steps>
}

function runnerOf(db: object): StatementRunner {
  const runner = runners.get(db)
  if (runner === undefined) throw new Error('prepared queries run on a Database of this package')
  return runner
}

function placeholdersOf<Input extends object>(input: Input): Input {
  const names = Object.keys(input).map((name) => [name, new Placeholder(name)])
  return Object.fromEntries(names) as Input
}

function shapeOf(query: Compilable<unknown>): Shape {
  const { sql, parameters } = query.compile()
  if (ALL_COLUMNS.test(sql)) throw new Error('a prepared query names the columns that it reads')
  return { sql, parameters: parameters.map(readerOf) }
}

function readerOf(parameter: unknown): Shape['parameters'][number] {
  if (!(parameter instanceof Placeholder)) return () => parameter
  const { name } = parameter
  return (input) => {
    const value = input[name]
    if (value === undefined) throw new Error(`a prepared query has no value for ${name}`)
    return value
  }
}

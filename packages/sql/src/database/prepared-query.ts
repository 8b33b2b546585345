import { type Compilable, DummyDriver } from 'kysely'
import { Connection, type Statement } from './connection.js'
import type { Engine } from './dialect.js'

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
 * put them into the query, and cannot look at them.
 */
export function prepare<Tables, Input extends { readonly [Name in keyof Input]: SqlValue }, Row>(
  build: (db: Connection<Tables>, input: Input) => Compilable<Row>,
): (input: Input) => Statement<Row> {
  const name = `cofre_${++prepared}`
  const compiled = new Map<Engine, ReturnType<typeof compile>>()
  const compile = (engine: Engine, input: Input) => {
    const run = () => Promise.reject(new Error('a query that is being prepared runs no other'))
    const db = new Connection<Tables>({ engine, driver: new DummyDriver(), run })
    const { sql, parameters } = build(db, placeholdersOf(input)).compile()
    if (ALL_COLUMNS.test(sql)) throw new Error('a prepared query names the columns that it reads')
    return { sql, parameters }
  }
  return (input) => ({
    on(engine) {
      const query = compiled.get(engine) ?? compile(engine, input)
      compiled.set(engine, query)
      const parameters = query.parameters.map((parameter) => valueOf(parameter, input))
      return { name, sql: query.sql, parameters }
    },
  })
}

function placeholdersOf<Input extends object>(input: Input): Input {
  const names = Object.keys(input).map((name) => [name, new Placeholder(name)])
  return Object.fromEntries(names) as Input
}

function valueOf(parameter: unknown, input: Readonly<Record<string, SqlValue>>): unknown {
  if (!(parameter instanceof Placeholder)) return parameter
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

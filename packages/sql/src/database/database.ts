import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Connection, Statement, StatementResults } from './connection.js'
import type { Dialect } from './dialect.js'

/** One database, SQLite or PostgreSQL. */
export interface Database<Tables> {
  readonly dialect: Dialect
  /** The migrations that this opening applied, in order. */
  readonly migrated: readonly string[]
  /**
   * Aborted, with its error, once a statement has reported that the database's files are damaged.
   */
  readonly damaged: AbortSignal
  /** Reads committed data, outside any unit of work. Not for writing. */
  readonly reader: Connection<Tables>
  /**
   * Runs a unit of work: all of it or nothing. What it wrote is durable, and visible to `reader`,
   * once the promise resolves. A unit of work awaits nothing but the database: on SQLite others
   * wait for it.
   */
  transact<T>(work: (trx: Connection<Tables>) => Promise<T>): Promise<T>
  /**
   * Runs a unit of work whose statements are known before it begins, in order, whatever each one
   * finds. It is as durable and isolated as `transact`, and cheaper: units of work share round
   * trips and commits.
   * @param begun - Called when the wait for others is over.
   */
  commit<Statements extends Readonly<Record<string, Statement>>>(
    statements: Statements,
    begun?: () => void,
  ): Promise<StatementResults<Statements>>
  /** Waits for running units of work, then closes. */
  close(): Promise<void>
}

/** A step of a database from one form to the next. */
export interface ForwardMigration extends Omit<Migration, 'down'> {
  /**
   * True if no process that knows only the older form may use the database during the migration or
   * after it.
   */
  readonly isAlone?: boolean
}

/** Numbered migrations by name: `0001_create_transactions`. Forward only. */
export type Migrations = Readonly<Record<string, ForwardMigration>>

export interface DatabaseOptions {
  /** `sqlite:<path>` or `postgres://...`. */
  readonly url: string
  /** PostgreSQL schema that holds the tables; SQLite has a file for each schema instead. */
  readonly schema: string
  readonly migrations: Migrations
  /** A value that its connections carry for their callers. This package doesn't use it. */
  readonly attached?: unknown
}

/**
 * Proves that a database can be written durably and has room for more. Changes nothing, and may run
 * beside anything.
 * @throws the engine's error
 */
export async function probeWriting<Tables>({
  dialect,
  transact,
}: Pick<Database<Tables>, 'dialect' | 'transact'>): Promise<void> {
  await transact(async (trx) => {
    for (const statement of dialect.writeProbe) await sql.raw(statement).execute(trx)
  })
}

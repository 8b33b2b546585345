import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from './dialect.js'
import type { Step, StepResults } from './prepared-query.js'

/** One database, SQLite or PostgreSQL. */
export interface Database<Tables> {
  readonly dialect: Dialect
  /** The migrations that this opening applied, in order. */
  readonly migrated: readonly string[]
  /** Aborted, with its error, once a statement has reported that the database's files are damaged. */
  readonly damaged: AbortSignal
  /** Reads what is committed, outside any unit of work. Not for writing. */
  readonly reader: Kysely<Tables>
  /**
   * Runs a unit of work: all of it or nothing. What it wrote is durable, and visible to `reader`, once the promise
   * resolves. A unit of work awaits nothing but the database: on SQLite others wait for it.
   */
  transact<T>(work: (unit: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * Runs a unit of work whose statements are known before it begins: one after the other, whatever the one before it found.
   * As durable and as separate as with `transact`, and cheaper: units share the way to a server, and commits.
   * @param begun - Is called when the unit has waited for others.
   */
  commit<const Steps extends readonly Step<Tables, unknown>[]>(
    steps: Steps,
    begun?: () => void,
  ): Promise<StepResults<Steps>>
  /** Waits for running units of work, then closes. */
  close(): Promise<void>
}

/** Numbered migrations by name: `0001_create_transactions`. Forward only. */
export type Migrations = Readonly<Record<string, Omit<Migration, 'down'>>>

export interface DatabaseOptions {
  /** `sqlite:<path>` or `postgres://...`. */
  readonly url: string
  /** PostgreSQL schema that holds the tables; SQLite has a file for each schema instead. */
  readonly schema: string
  readonly migrations: Migrations
}

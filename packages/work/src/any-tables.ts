import type { Kysely } from 'kysely'

/** Tables whose columns only the caller knows. */
export type AnyTables = Record<string, Readonly<Record<string, unknown>>>

/** A connection for statements about tables and columns that the caller names. */
export function anyTables(connection: unknown): Kysely<AnyTables> {
  return connection as Kysely<AnyTables>
}

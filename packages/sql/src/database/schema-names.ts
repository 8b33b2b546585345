import {
  type DatabaseIntrospector,
  type Kysely,
  type SchemaMetadata,
  type TableMetadata,
  sql,
} from 'kysely'

/**
 * The names of schemas and tables, which is all that a migration asks. Kysely's own introspector
 * looks up every column of every schema, and fails if a table is renamed or dropped meanwhile, for
 * example by the migration of another process.
 */
export class SchemaNames implements DatabaseIntrospector {
  readonly #database: Kysely<unknown>

  constructor(database: Kysely<unknown>) {
    this.#database = database
  }

  async getSchemas(): Promise<SchemaMetadata[]> {
    const { rows } = await sql<SchemaMetadata>`select nspname as name from pg_namespace`.execute(
      this.#database,
    )
    return rows
  }

  async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ schema: string; name: string }>`
      select schemaname as schema, tablename as name from pg_tables`.execute(this.#database)
    return rows.map((row) => ({ ...row, isView: false, isForeign: false, columns: [] }))
  }
}

import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migrations } from './database.js'

/** The table in which Kysely notes what was applied. */
export const MIGRATION_TABLE = 'kysely_migration'

/** A newer version of the product has changed the database: this one cannot work on it. */
export class NewerDatabaseError extends Error {
  /** The migrations that this version does not know. */
  readonly unknown: readonly string[]

  constructor(unknown: readonly string[]) {
    super(`migrations of a newer version: ${unknown.join(', ')}`)
    this.name = 'NewerDatabaseError'
    this.unknown = unknown
  }
}

/**
 * None of the migrations that were applied is known: the database is another's, whatever the
 * version.
 */
export class ForeignDatabaseError extends Error {
  constructor(applied: readonly string[]) {
    super(`migrations of something else: ${applied.join(', ')}`)
    this.name = 'ForeignDatabaseError'
  }
}

/**
 * Applies the migrations that are missing, under the database's own lock, which is not waited for
 * where none is. Returns their names.
 * @throws NewerDatabaseError, ForeignDatabaseError, and the first migration's error
 */
export async function migrate<Tables>(
  database: Kysely<Tables>,
  migrations: Migrations,
  schema?: string,
): Promise<readonly string[]> {
  const present = new Set(await appliedMigrations(database, schema))
  const isMissing = (name: string): boolean => !present.has(name)
  const names = Object.keys(migrations)
  if (names.length > 0 && present.size === names.length && !names.some(isMissing)) return []
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map(({ migrationName }) => migrationName)
  const applied = await appliedMigrations(database, schema)
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0 && unknown.length === applied.length)
    throw new ForeignDatabaseError(applied)
  if (unknown.length > 0) throw new NewerDatabaseError(unknown)
  throw error instanceof Error ? error : new Error('migration failed', { cause: error })
}

/** None where the database cannot say: then the error before is what counts. */
async function appliedMigrations<Tables>(
  database: Kysely<Tables>,
  schema?: string,
): Promise<readonly string[]> {
  const names = schema === undefined ? [MIGRATION_TABLE] : [schema, MIGRATION_TABLE]
  try {
    const { rows } = await sql<{ name: string }>`select name from ${sql.id(...names)}`.execute(
      database,
    )
    return rows.map(({ name }) => name)
  } catch {
    return []
  }
}

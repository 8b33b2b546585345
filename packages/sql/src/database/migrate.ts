import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migrations } from './database.js'

/** The table in which Kysely records the applied migrations. */
export const MIGRATION_TABLE = 'kysely_migration'

/** The first migrations of Cofre 0.1, which was never released, so nothing migrates from it. */
const BEGINNINGS_OF_0_1 = ['0001_create_merchants', '0001_create_vault', '0001_create_test_clock']

/** Cofre 0.1 made the database: this version cannot read it. */
export class OutdatedDatabaseError extends Error {
  constructor() {
    super('its migrations are those of Cofre 0.1')
    this.name = 'OutdatedDatabaseError'
  }
}

/** A newer version of the product has changed the database: this version cannot use it. */
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
 * The first of the applied migrations is unknown: the database belongs to something else, whatever
 * the version.
 */
export class ForeignDatabaseError extends Error {
  constructor(applied: readonly string[]) {
    super(`migrations of something else: ${applied.join(', ')}`)
    this.name = 'ForeignDatabaseError'
  }
}

/** Processes use the database that could not work on it once it is migrated. */
export class OlderReleaseError extends Error {
  /** @param seen - A description of these processes. */
  constructor(seen: string) {
    super(seen)
    this.name = 'OlderReleaseError'
  }
}

/** The state of a database, by its applied migrations. */
export interface MigrationState {
  /** True if the database has no tables of Cofre yet: the first opening makes them. */
  readonly isNew: boolean
  /** Migrations that the next opening applies. */
  readonly missing: readonly string[]
  /** True if one of those can only be applied while no older release uses the database. */
  readonly isAloneNext: boolean
  /**
   * Migrations of a newer version of the product. If there are any, this version cannot use the
   * database.
   */
  readonly unknown: readonly string[]
  /** True if the database's first migration doesn't belong to this part of the product. */
  readonly isForeign: boolean
  /** True if Cofre 0.1 made it, which this version cannot read. */
  readonly isOutdated: boolean
}

export function migrationState(applied: readonly string[], migrations: Migrations): MigrationState {
  const known = Object.keys(migrations)
  const unknown = applied.filter((name) => !known.includes(name))
  const missing = known.filter((name) => !applied.includes(name))
  const isNew = applied.length === 0
  return {
    isNew,
    missing,
    isAloneNext: !isNew && missing.some((name) => migrations[name]?.isAlone === true),
    unknown,
    // Only the first counts: parts of Cofre may give a later one the same name.
    isForeign: unknown.includes(applied.toSorted()[0] ?? ''),
    isOutdated: unknown.some((name) => BEGINNINGS_OF_0_1.includes(name)),
  }
}

interface Migrated<Tables> {
  readonly database: Kysely<Tables>
  readonly migrations: Migrations
  /** On PostgreSQL: the schema with the table of applied migrations. */
  readonly schema?: string
  /**
   * Called before a migration that is applied alone. @throws OlderReleaseError while others work
   */
  readonly refuseOthers: () => Promise<void>
}

/**
 * Applies the missing migrations under the database's own lock. If none is missing, it doesn't wait
 * for the lock. Returns their names. A refused database stays as it was.
 * @throws OutdatedDatabaseError, NewerDatabaseError, ForeignDatabaseError, OlderReleaseError, and
 * the first migration's error
 */
export async function migrate<Tables>(migrated: Migrated<Tables>): Promise<readonly string[]> {
  const { database, migrations, schema, refuseOthers } = migrated
  const applied = await appliedMigrations(database, schema)
  const state = migrationState(applied, migrations)
  if (state.isOutdated) throw new OutdatedDatabaseError()
  if (state.isForeign) throw new ForeignDatabaseError(applied)
  if (state.unknown.length > 0) throw new NewerDatabaseError(state.unknown)
  if (!state.isNew && state.missing.length === 0) return []
  if (state.isAloneNext) await refuseOthers()
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map(({ migrationName }) => migrationName)
  throw error instanceof Error ? error : new Error('migration failed', { cause: error })
}

/** Empty if the query fails: then the migrator's error counts. */
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

import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migrations } from './database.js'

/** The table in which Kysely notes what was applied. */
export const MIGRATION_TABLE = 'kysely_migration'

/** How Cofre 0.1 began its databases: nothing of it was released, so nothing migrates it. */
const BEGINNINGS_OF_0_1 = ['0001_create_merchants', '0001_create_vault', '0001_create_test_clock']

/** Cofre 0.1 made the database: this version cannot read it. */
export class OutdatedDatabaseError extends Error {
  constructor() {
    super('its migrations are those of Cofre 0.1')
    this.name = 'OutdatedDatabaseError'
  }
}

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

/** Processes use the database that would not work on it any more once it is migrated. */
export class OlderReleaseError extends Error {
  /** @param seen - What was seen of them. */
  constructor(seen: string) {
    super(seen)
    this.name = 'OlderReleaseError'
  }
}

/** What the migrations that were applied say of a database. */
export interface MigrationState {
  /** It has no tables of ours yet: the first opening makes them. */
  readonly isNew: boolean
  /** Migrations that the next opening will apply. */
  readonly missing: readonly string[]
  /** Whether one of those is applied only while nothing of an older release uses the database. */
  readonly isAloneNext: boolean
  /** Migrations of a newer version of the product, on which this one cannot work. */
  readonly unknown: readonly string[]
  /** The migration that it began with is none of this product's part. */
  readonly isForeign: boolean
  /** Cofre 0.1 made it, which this version cannot read. */
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
    // Parts of Cofre may call a later one alike.
    isForeign: unknown.includes(applied.toSorted()[0] ?? ''),
    isOutdated: unknown.some((name) => BEGINNINGS_OF_0_1.includes(name)),
  }
}

/** What migrations are applied to. */
interface Migrated<Tables> {
  readonly database: Kysely<Tables>
  readonly migrations: Migrations
  /** On PostgreSQL: where the table of applied migrations is. */
  readonly schema?: string
  /** Called before one that is applied alone. @throws OlderReleaseError while others go on */
  readonly refuseOthers: () => Promise<void>
}

/**
 * Applies the migrations that are missing, under the database's own lock, which is not waited for
 * where none is. Returns their names. What it refuses stays as it was.
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

/** None where the database cannot say: then the migrator's error counts. */
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

import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migrations } from './database.js'

/** Applies the migrations that are missing, under the database's own lock. Returns their names. @throws the first migration's error. */
export async function migrate<Tables>(
  database: Kysely<Tables>,
  migrations: Migrations,
  schema?: string,
): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('migration failed', { cause: error })
  return results.map(({ migrationName }) => migrationName)
}

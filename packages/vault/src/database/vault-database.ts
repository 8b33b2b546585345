import {
  type Connection,
  type Database,
  type DatabaseInspection,
  inspectDatabase,
  openDatabase,
  readMigrations,
} from '@cofre/sql'
import type { VaultTables } from './vault-tables.js'

export type VaultDatabase = Database<VaultTables>
/** Reads committed data, or is one transaction. */
export type VaultConnection = Connection<VaultTables>

export const VAULT_MIGRATIONS = readMigrations(new URL('../../migrations/', import.meta.url))

const SCHEMA = 'cofre_vault'

/**
 * Opens the vault's database and brings its tables up to date.
 * @param url - `sqlite:<path>` or `postgres://...`; on PostgreSQL the tables are in the schema
 * `cofre_vault`.
 */
export function openVaultDatabase(url: string): Promise<VaultDatabase> {
  return openDatabase<VaultTables>({ url, schema: SCHEMA, migrations: VAULT_MIGRATIONS })
}

/** Inspects the vault's database. Changes nothing. */
export function inspectVaultDatabase(url: string): Promise<DatabaseInspection> {
  return inspectDatabase({ url, schema: SCHEMA, migrations: VAULT_MIGRATIONS })
}

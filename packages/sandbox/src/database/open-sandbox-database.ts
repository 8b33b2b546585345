import {
  type Database,
  type DatabaseInspection,
  type DatabaseOptions,
  inspectDatabase,
  openDatabase,
  readMigrations,
} from '@cofre/sql'
import type { SandboxTables } from './sandbox-tables.js'

export const SANDBOX_MIGRATIONS = readMigrations(new URL('../../migrations/', import.meta.url))

/**
 * Opens what the sandbox keeps for itself and brings its tables up to date. On PostgreSQL it has a
 * schema of its own.
 */
export function openSandboxDatabase(url: string): Promise<Database<SandboxTables>> {
  return openDatabase<SandboxTables>(optionsOf(url))
}

/** Looks at what the sandbox keeps for itself and changes nothing. */
export function inspectSandboxDatabase(url: string): Promise<DatabaseInspection> {
  return inspectDatabase(optionsOf(url))
}

function optionsOf(url: string): DatabaseOptions {
  return { url, schema: 'cofre_sandbox_bank', migrations: SANDBOX_MIGRATIONS }
}

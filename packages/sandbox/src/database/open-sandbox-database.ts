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

/** Opens the sandbox's own database and migrates it. On PostgreSQL it has its own schema. */
export function openSandboxDatabase(url: string): Promise<Database<SandboxTables>> {
  return openDatabase<SandboxTables>(optionsOf(url))
}

/** Inspects the sandbox's own database without changes. */
export function inspectSandboxDatabase(url: string): Promise<DatabaseInspection> {
  return inspectDatabase(optionsOf(url))
}

function optionsOf(url: string): DatabaseOptions {
  return { url, schema: 'cofre_sandbox_bank', migrations: SANDBOX_MIGRATIONS }
}

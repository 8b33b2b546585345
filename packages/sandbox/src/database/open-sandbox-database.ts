import {
  type Database,
  type DatabaseInspection,
  type DatabaseOptions,
  inspectDatabase,
  openDatabase,
} from '@cofre/sql'
import { SANDBOX_MIGRATIONS } from './migrations.js'
import type { SandboxTables } from './sandbox-tables.js'

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

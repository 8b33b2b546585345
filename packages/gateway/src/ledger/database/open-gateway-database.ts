import type { Environment } from '@cofre/contracts'
import {
  type Database,
  type DatabaseInspection,
  type DatabaseOptions,
  inspectDatabase,
  openDatabase,
  readMigrations,
} from '@cofre/sql'
import type { FollowsPayments } from '../transaction/follows-payments.js'
import type { GatewayTables } from './gateway-tables.js'

export const GATEWAY_MIGRATIONS = readMigrations(new URL('../../../migrations/', import.meta.url))

const SCHEMAS: Readonly<Record<Environment, string>> = {
  production: 'cofre',
  sandbox: 'cofre_sandbox',
}

/**
 * Opens an environment's database and brings its tables up to date.
 * @param followers - All rooms of the installation that follow payments, in every process.
 */
export function openGatewayDatabase(
  url: string,
  environment: Environment,
  followers: readonly FollowsPayments[],
): Promise<Database<GatewayTables>> {
  return openDatabase<GatewayTables>({ ...optionsOf(url, environment), attached: followers })
}

/** Inspects an environment's database without changing it. */
export function inspectGatewayDatabase(
  url: string,
  environment: Environment,
): Promise<DatabaseInspection> {
  return inspectDatabase(optionsOf(url, environment))
}

function optionsOf(url: string, environment: Environment): DatabaseOptions {
  return { url, schema: SCHEMAS[environment], migrations: GATEWAY_MIGRATIONS }
}

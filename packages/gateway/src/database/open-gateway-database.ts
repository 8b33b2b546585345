import type { Environment } from '@cofre/contracts'
import { type Database, openDatabase } from '@cofre/sql'
import type { GatewayTables } from './gateway-tables.js'
import { GATEWAY_MIGRATIONS } from './migrations.js'

const SCHEMAS: Readonly<Record<Environment, string>> = {
  production: 'cofre',
  sandbox: 'cofre_sandbox',
}

/** Opens an environment's database and brings its tables up to date. */
export function openGatewayDatabase(
  url: string,
  environment: Environment,
): Promise<Database<GatewayTables>> {
  return openDatabase<GatewayTables>({
    url,
    schema: SCHEMAS[environment],
    migrations: GATEWAY_MIGRATIONS,
  })
}

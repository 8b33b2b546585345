import type { Environment } from '@cofre/contracts'
import { openGatewayDatabase } from '@cofre/gateway'
import type { Config } from './config/config.js'
import { sandboxDatabaseUrl } from './config/sandbox-database-url.js'
import { setUp } from './setup-error.js'

/** Opens the gateway's database of an environment. @throws SetupError */
export function openEnvironmentDatabase(
  { gatewayDatabaseUrl: url }: Config,
  environment: Environment,
): ReturnType<typeof openGatewayDatabase> {
  return setUp(
    'The database that COFRE_DATABASE_URL names cannot be opened: check that it is there and may be written',
    () =>
      openGatewayDatabase(environment === 'sandbox' ? sandboxDatabaseUrl(url) : url, environment),
  )
}

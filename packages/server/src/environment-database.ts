import type { Environment } from '@cofre/contracts'
import { openGatewayDatabase } from '@cofre/gateway'
import { openSandboxDatabase } from '@cofre/sandbox'
import type { Config } from './config/config.js'
import { bankDatabaseUrl, sandboxDatabaseUrl } from './config/sandbox-database-url.js'
import { setUp } from './setup-error.js'

const CANNOT_BE_OPENED =
  'The database that COFRE_DATABASE_URL names cannot be opened: check that it is there and may be written'

/** Opens the gateway's database of an environment. @throws SetupError */
export function openEnvironmentDatabase(
  { gatewayDatabaseUrl: url }: Config,
  environment: Environment,
): ReturnType<typeof openGatewayDatabase> {
  return setUp(CANNOT_BE_OPENED, () =>
    openGatewayDatabase(environment === 'sandbox' ? sandboxDatabaseUrl(url) : url, environment),
  )
}

/** Opens what the sandbox keeps for itself. @throws SetupError */
export function openBankDatabase({
  gatewayDatabaseUrl: url,
}: Config): ReturnType<typeof openSandboxDatabase> {
  return setUp(CANNOT_BE_OPENED, () => openSandboxDatabase(bankDatabaseUrl(url)))
}

import { ENVIRONMENTS, type Environment } from '@cofre/contracts'
import { inspectGatewayDatabase, isWrappedSecret, openGatewayDatabase } from '@cofre/gateway'
import { openSandboxDatabase } from '@cofre/sandbox'
import type { Config } from './config/config.js'
import { bankDatabaseUrl, sandboxDatabaseUrl } from './config/sandbox-database-url.js'
import { openNamed } from './opened-database.js'
import { SetupError } from './setup-error.js'

const VARIABLE = 'COFRE_DATABASE_URL'

/** Opens the gateway's database of an environment. @throws SetupError */
export function openEnvironmentDatabase(
  config: Config,
  environment: Environment,
): ReturnType<typeof openGatewayDatabase> {
  return openNamed(VARIABLE, () =>
    openGatewayDatabase(environmentDatabaseUrl(config, environment), environment),
  )
}

/** The environments whose databases are there. Makes none. @throws SetupError */
export async function presentEnvironments(config: Config): Promise<readonly Environment[]> {
  const inspected = await Promise.all(
    ENVIRONMENTS.map((environment) =>
      openNamed(VARIABLE, () =>
        inspectGatewayDatabase(environmentDatabaseUrl(config, environment), environment),
      ),
    ),
  )
  return ENVIRONMENTS.filter((_, i) => inspected[i]?.isNew === false)
}

/** For commands that work on what is there: elsewhere they would make an empty installation, and find nothing in it. */
export async function refuseMissingGateway(config: Config): Promise<void> {
  const present = await presentEnvironments(config)
  if (present.length === 0)
    throw new SetupError(
      'There is no gateway here yet: check COFRE_DATA_DIR and COFRE_DATABASE_URL, or start Cofre once',
      'the tables of its stores are not there',
    )
}

/** Whether the database of an environment holds a secret that needs a gateway key. @throws SetupError */
export async function hasWrappedSecrets(
  config: Config,
  environment: Environment,
): Promise<boolean> {
  const database = await openEnvironmentDatabase(config, environment)
  try {
    const stores = await database.reader.selectFrom('merchants').select('secret').execute()
    return stores.some(({ secret }) => isWrappedSecret(secret))
  } finally {
    await database.close()
  }
}

/** Opens what the sandbox keeps for itself. @throws SetupError */
export function openBankDatabase({
  gatewayDatabaseUrl: url,
}: Config): ReturnType<typeof openSandboxDatabase> {
  return openNamed(VARIABLE, () => openSandboxDatabase(bankDatabaseUrl(url)))
}

function environmentDatabaseUrl(
  { gatewayDatabaseUrl: url }: Config,
  environment: Environment,
): string {
  return environment === 'sandbox' ? sandboxDatabaseUrl(url) : url
}

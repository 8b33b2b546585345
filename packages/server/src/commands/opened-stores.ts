import type { Environment } from '@cofre/contracts'
import { type MerchantStore, createSecretWrapping, createSqlMerchantStore } from '@cofre/gateway'
import { openEnvironmentDatabase, refuseMissingGateway } from '../environment-database.js'
import { openGatewayKeys } from '../gateway-keys.js'
import { SetupError } from '../setup-error.js'
import { refuseVaultZone } from '../zone.js'
import type { CommandContext, JsonOption } from './command-context.js'

/** What every command on stores takes. */
export interface StoreOptions extends JsonOption {
  readonly sandbox?: true
}

/** Works on the stores of an environment. @throws SetupError */
export async function withStores<T>(
  context: CommandContext,
  { sandbox, mayBeFirst }: StoreOptions & { readonly mayBeFirst?: true },
  work: (stores: MerchantStore) => Promise<T>,
): Promise<T> {
  const config = context.config('dev')
  const environment = environmentOf(sandbox)
  refuseVaultZone(config)
  if (mayBeFirst !== true) await refuseMissingGateway(config)
  const secrets = createSecretWrapping(environment, await openGatewayKeys(config))
  const database = await openEnvironmentDatabase(config, environment)
  try {
    const stores = createSqlMerchantStore({ database, clock: context.clock, secrets })
    await stores.rewrapSecrets()
    return await work(stores)
  } finally {
    await database.close()
  }
}

export function environmentOf(sandbox: true | undefined): Environment {
  return sandbox === true ? 'sandbox' : 'production'
}

export function unknownStore(id: string, environment: Environment): SetupError {
  return new SetupError(`There is no store ${id} in ${environment}`, 'see cofre store list')
}

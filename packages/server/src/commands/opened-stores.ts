import type { Environment } from '@cofre/contracts'
import {
  type AccountStore,
  type MerchantStore,
  createSecretWrapping,
  createSqlAccountStore,
  createSqlMerchantStore,
} from '@cofre/gateway'
import { SetupError } from '../config/errors.js'
import { DATABASES } from '../installation/databases.js'
import { openGatewayKeys } from '../installation/keys.js'
import { type CommandContext, type InEnvironment, gatewayConfig } from './command.js'

/** What a command works on. */
export interface OpenedStores {
  readonly stores: MerchantStore
  readonly accounts: AccountStore
}

/** Works on the stores of an environment, and on their accounts. @throws SetupError */
export async function withStores<T>(
  context: CommandContext,
  { environment, mayBeFirst }: InEnvironment & { readonly mayBeFirst?: boolean },
  work: (opened: OpenedStores) => Promise<T>,
): Promise<T> {
  const config = await gatewayConfig(context, { mayBeFirst })
  const keys = await openGatewayKeys(config)
  return await DATABASES[environment].use(config, async (database) => {
    const { clock } = context
    const secrets = createSecretWrapping(environment, keys)
    const stores = createSqlMerchantStore({ database, clock, secrets })
    const sealing = createSecretWrapping(environment, keys, 'provider-account')
    const accounts = createSqlAccountStore({ database, sealing, clock })
    await stores.rewrapSecrets()
    await accounts.rewrap()
    return await work({ stores, accounts })
  })
}

export function unknownStore(id: string, environment: Environment): SetupError {
  return new SetupError(`There is no store ${id} in ${environment}`, 'see cofre store list')
}

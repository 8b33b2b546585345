import type { Environment } from '@cofre/contracts'
import { SetupError } from '../../config/errors.js'
import { DATABASES } from '../../installation/databases.js'
import { openGatewayKeys } from '../../installation/keys.js'
import { type OpenedStores, openStores } from '@cofre/gateway/upkeep'
import {
  type CommandContext,
  type InEnvironment,
  gatewayConfig,
  sandboxOption,
} from '../line/command.js'

/** Runs work on the stores of an environment, their accounts and people. @throws SetupError */
export async function withStores<T>(
  context: CommandContext,
  { environment, mayBeFirst }: InEnvironment & { readonly mayBeFirst?: boolean },
  work: (opened: OpenedStores) => Promise<T>,
): Promise<T> {
  const config = await gatewayConfig(context, { mayBeFirst })
  const keys = await openGatewayKeys(config)
  return await DATABASES[environment].use(config, async (database) => {
    const opened = openStores({ environment, database, keys, clock: context.clock })
    await opened.stores.rewrapSecrets()
    await opened.accounts.rewrap()
    await opened.people.rewrap()
    await opened.keyDigests.rewrap()
    return await work(opened)
  })
}

export function unknownStore(id: string, environment: Environment): SetupError {
  return new SetupError(
    `There is no store ${id} in ${environment}`,
    `see cofre store list${sandboxOption(environment)}`,
  )
}

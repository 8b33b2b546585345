import type { Environment } from '@cofre/contracts'
import {
  type MerchantStore,
  type StoreChange,
  createSecretWrapping,
  createSqlMerchantStore,
} from '@cofre/gateway'
import { SetupError } from '../config/errors.js'
import { DATABASES } from '../installation/databases.js'
import { openGatewayKeys } from '../installation/keys.js'
import { refuseVaultOnly } from '../installation/roles.js'
import {
  type CommandContext,
  type SandboxOption,
  type Shown,
  environmentOf,
  gatewayConfig,
} from './command.js'

/** Works on the stores of an environment. @throws SetupError */
export async function withStores<T>(
  context: CommandContext,
  options: SandboxOption & { readonly mayBeFirst?: true },
  work: (stores: MerchantStore) => Promise<T>,
): Promise<T> {
  const environment = environmentOf(options)
  const config = options.mayBeFirst ? context.config('dev') : await gatewayConfig(context)
  refuseVaultOnly(config)
  const secrets = createSecretWrapping(environment, await openGatewayKeys(config))
  return await DATABASES[environment].use(config, async (database) => {
    const stores = createSqlMerchantStore({ database, clock: context.clock, secrets })
    await stores.rewrapSecrets()
    return await work(stores)
  })
}

export function unknownStore(id: string, environment: Environment): SetupError {
  return new SetupError(`There is no store ${id} in ${environment}`, 'see cofre store list')
}

/** Shows the changes of one store or of all. @throws SetupError when there is no such store */
export async function listStoreLog(
  context: CommandContext,
  options: SandboxOption & { readonly id?: string; readonly limit: number },
): Promise<Shown> {
  const { id } = options
  const changes = await withStores(context, options, async (stores) => {
    const found = await stores.listChanges({ id, limit: options.limit })
    if (id !== undefined && found.length === 0 && (await stores.find(id)) === undefined)
      throw unknownStore(id, environmentOf(options))
    return found
  })
  const entries = changes.map(({ storeId, atMs, actor, action, settings }) => ({
    at: new Date(atMs).toISOString(),
    store: storeId,
    action,
    actor,
    settings,
  }))
  const lines = entries.map(
    ({ at, store, action, actor, settings }) =>
      `${at}  ${store}  ${action} by ${actor}: ${settingsText(settings)}\n`,
  )
  const data = entries.map((entry) => ({ ...entry, settings: shownSettings(entry.settings) }))
  return { data, text: lines.join('') }
}

/** Settings under the names that `store list --json` has for them. */
export function shownSettings(settings: StoreChange['settings']): StoreChange['settings'] {
  return Object.fromEntries(
    Object.entries(settings).map(([name, change]) => [
      name === 'mayUseRawCards' ? 'rawCards' : name,
      change,
    ]),
  )
}

/** What was and what is. As JSON, so that no name breaks a line or looks like something else. */
export function settingsText(settings: StoreChange['settings']): string {
  return Object.entries(shownSettings(settings))
    .map(([name, { from, to }]) => {
      const before = from === undefined ? '' : `${JSON.stringify(from)} -> `
      return `${name} ${before}${JSON.stringify(to)}`
    })
    .join(', ')
}

// Accounts on this machine: those of banks beside the gateway, those of acquirers in the vault.
// Either may be on another machine, and its credentials are entered only there.
import type { AccountDescription, AccountMethod, AccountStore } from '@cofre/provider-kit/account'
import type { Config } from '../../config/config.js'
import { isVaultPresent, presentEnvironments } from '../../installation/databases.js'
import { administerVault, areVaultKeysLocal, noLocalVault } from '../../installation/keys.js'
import { installedRoles } from '../../installation/roles.js'
import type { AccountZone } from '../line/account-providers.js'
import { type CommandContext, type InEnvironment, gatewayConfig } from '../line/command.js'
import { type AccountOptions, unknownAccount } from './known-account.js'
import { unknownStore, withStores } from '../store/opened-stores.js'

export function zoneOf(method: AccountMethod): AccountZone {
  return method === 'card' ? 'vault' : 'gateway'
}

/** Runs work on the accounts of a zone. @throws SetupError if the zone is on another machine */
export async function withAccounts<T>(
  context: CommandContext,
  { environment, zone }: InEnvironment & { readonly zone: AccountZone },
  work: (accounts: AccountStore) => Promise<T>,
): Promise<T> {
  if (zone === 'gateway')
    return await withStores(context, { environment }, ({ accounts }) => work(accounts))
  const config = context.config('dev')
  // A vault's database beside a gateway with another vault would charge nothing.
  if (!areVaultKeysLocal(config)) throw noLocalVault(config)
  return await administerVault(config, context.clock, (vault) => work(vault.accounts(environment)))
}

/** Runs work on an account in any zone of this machine. @throws SetupError */
export async function withAccount<T>(
  context: CommandContext,
  options: AccountOptions,
  work: (accounts: AccountStore, account: AccountDescription) => Promise<T>,
): Promise<T> {
  const { environment, id } = options
  for (const zone of await localZones(context)) {
    const done = await withAccounts(context, { environment, zone }, async (accounts) => {
      const account = await accounts.describe(id)
      return account && { result: await work(accounts, account) }
    })
    if (done !== undefined) return done.result
  }
  throw unknownAccount(options)
}

/** @throws SetupError if this machine has neither */
export async function localZones(context: CommandContext): Promise<readonly AccountZone[]> {
  const config = context.config('dev')
  const hasVault = areVaultKeysLocal(config) && (await isVaultPresent(config))
  if (await isGatewayLocal(config)) return hasVault ? ['gateway', 'vault'] : ['gateway']
  if (hasVault) return ['vault']
  await gatewayConfig(context)
  return ['gateway']
}

/** @throws SetupError for an unknown store; a vault alone has no list of stores */
export async function checkStore(
  context: CommandContext,
  { environment, store }: InEnvironment & { readonly store: string },
): Promise<void> {
  if (!(await isGatewayLocal(context.config('dev')))) return
  const found = await withStores(context, { environment }, ({ stores }) => stores.find(store))
  if (found === undefined) throw unknownStore(store, environment)
}

async function isGatewayLocal(config: Config): Promise<boolean> {
  return installedRoles(config).includes('api') && (await presentEnvironments(config)).length > 0
}

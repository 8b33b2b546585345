import { isFileThere } from '@cofre/sql'
import { type Config, type Role, needsGateway } from './config/config.js'
import { sqliteFileOf } from './config/sqlite-file.js'
import { SetupError } from './setup-error.js'

/**
 * Whether this is where a vault stands alone: it answers gateways elsewhere, and nothing says or shows that one is here too.
 * @throws the system's error when the data directory may not be seen
 */
export function isVaultZone(config: Config): boolean {
  const { vaultService, namesDatabase, gatewayDatabaseUrl: url } = config
  const answersOthers = vaultService.keys !== undefined && vaultService.url === undefined
  if (!answersOthers || namesDatabase.gateway) return false
  const file = sqliteFileOf(url)
  return namesDatabase.vault || file === undefined || !isFileThere(file)
}

/** Those of a process that does everything. */
export const ALL_IN_ONE: readonly Role[] = ['api', 'sandbox', 'vault', 'worker']

/** What `serve` does when no roles are named: never a second vault where the variables say that it is elsewhere. */
export function rolesUnnamed({ vaultService }: Config): readonly Role[] {
  return vaultService.url === undefined ? ALL_IN_ONE : ALL_IN_ONE.filter((role) => role !== 'vault')
}

/** The roles whose databases belong to this zone, as far as the variables say. */
export function rolesOfZone(config: Config): readonly Role[] {
  const isVaultAlone = config.vaultService.url === undefined && isVaultZone(config)
  return isVaultAlone ? ['vault'] : rolesUnnamed(config)
}

/** For what belongs to a gateway: in the vault's zone it would make one that no shop ever reaches. @throws SetupError */
export function refuseVaultZone(config: Config): void {
  if (isVaultZone(config))
    throw new SetupError(
      'Only a vault is configured here: run this where the gateway runs, with its variables, or set COFRE_DATABASE_URL',
      'COFRE_VAULT_SERVICE_KEY is set, COFRE_DATABASE_URL and COFRE_VAULT_SERVICE_URL are not',
    )
}

/** Whether no gateway can reach the vault of these roles: none is beside it, and it answers none elsewhere. */
export function standsAloneUnreachably(config: Config, roles: readonly Role[]): boolean {
  const isAlone = roles.includes('vault') && !roles.some(needsGateway)
  return isAlone && config.vaultService.keys === undefined
}

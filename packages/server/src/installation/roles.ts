import type { Environment } from '@cofre/contracts'
import { isFileThere } from '@cofre/sql'
import type { Config, Role } from '../config/config.js'
import { sqliteFileOf } from '../config/database-urls.js'
import { ConfigError, SetupError } from '../config/errors.js'

export const ALL_IN_ONE: readonly Role[] = ['api', 'sandbox', 'vault', 'worker', 'notices']

type WorkConfig = Pick<Config, 'workerEnvironments' | 'panelEnvironments'>

const GATEWAY_ROLES: readonly Role[] = ['api', 'sandbox', 'panel', 'worker', 'operator']

/** True if processes with these roles open the gateway's databases. */
export function opensGateway(roles: readonly Role[]): boolean {
  return GATEWAY_ROLES.some((role) => roles.includes(role)) || acceptsBankNotices(roles)
}

/** Beside a vault, without a gateway's role, the role notices serves only the vault. */
function acceptsBankNotices(roles: readonly Role[]): boolean {
  const isOfVaultAlone =
    roles.includes('vault') && !GATEWAY_ROLES.some((role) => roles.includes(role))
  return roles.includes('notices') && !isOfVaultAlone
}

/** True if processes with these roles serve an environment, or work for it. */
export function servesEnvironment(
  { workerEnvironments, panelEnvironments }: WorkConfig,
  roles: readonly Role[],
  environment: Environment,
): boolean {
  const isServed =
    environment === 'production'
      ? roles.includes('api') || acceptsBankNotices(roles)
      : roles.includes('sandbox')
  const isShown = roles.includes('panel') && panelEnvironments.includes(environment)
  // Operators manage the stores of both.
  if (roles.includes('operator')) return true
  return (
    isServed || isShown || (roles.includes('worker') && workerEnvironments.includes(environment))
  )
}

/**
 * True if the sandbox's databases are opened: production's API forwards refunds with `test-mode: 1`
 * to it, and accounts of kind test get notices too.
 */
export function reachesSandbox(config: WorkConfig, roles: readonly Role[]): boolean {
  const isAsked = roles.includes('api') || acceptsBankNotices(roles)
  return isAsked || servesEnvironment(config, roles, 'sandbox')
}

/** True if no gateway can reach this vault: none is in this process, and it serves no others. */
export function isVaultUnreachable(config: Config, roles: readonly Role[]): boolean {
  const isAlone = roles.includes('vault') && !opensGateway(roles)
  return isAlone && config.vaultService.keys === undefined
}

/** Address of the vault in another process. @throws ConfigError if it is unknown */
export function vaultServiceOf({ vaultService: { url, keys } }: Config) {
  if (url !== undefined && keys !== undefined) return { url, keys }
  throw new ConfigError(
    'COFRE_VAULT_SERVICE_URL',
    undefined,
    'where the vault answers its gateways, like http://127.0.0.1:8086; or give this process the role vault',
  )
}

/** The roles of `serve` without --roles: without the vault if it is in another process. */
export function defaultRoles({ vaultService }: Config): readonly Role[] {
  return vaultService.url === undefined ? ALL_IN_ONE : ALL_IN_ONE.filter((role) => role !== 'vault')
}

/** The roles whose databases belong to this installation, according to the variables. */
export function installedRoles(config: Config): readonly Role[] {
  return isVaultOnly(config) ? ['vault'] : defaultRoles(config)
}

/**
 * True if only a vault is here: it serves gateways elsewhere, and neither variables nor files
 * indicate a gateway.
 * @throws the system's error if the data directory is not readable
 */
function isVaultOnly({ vaultService, namesDatabase, databaseUrls }: Config): boolean {
  const answersOthers = vaultService.keys !== undefined && vaultService.url === undefined
  if (!answersOthers || namesDatabase.gateway) return false
  const file = sqliteFileOf(databaseUrls.production)
  return namesDatabase.vault || file === undefined || !isFileThere(file)
}

/** No shop would reach a gateway beside such a vault. @throws SetupError */
export function refuseVaultOnly(config: Config): void {
  if (!isVaultOnly(config)) return
  throw new SetupError(
    'Only a vault is configured here: run this where the gateway runs, with its variables, or set COFRE_DATABASE_URL',
    'COFRE_VAULT_SERVICE_KEY is set, COFRE_DATABASE_URL and COFRE_VAULT_SERVICE_URL are not',
  )
}

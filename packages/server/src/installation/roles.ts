import type { Environment } from '@cofre/contracts'
import { isFileThere } from '@cofre/sql'
import type { Config, Role } from '../config/config.js'
import { sqliteFileOf } from '../config/database-urls.js'
import { ConfigError, SetupError } from '../config/errors.js'

/** Roles of an all-in-one process. */
export const ALL_IN_ONE: readonly Role[] = ['api', 'sandbox', 'vault', 'worker', 'notices']

type WorkConfig = Pick<Config, 'workerEnvironments' | 'panelEnvironments'>

const GATEWAY_ROLES: readonly Role[] = ['api', 'sandbox', 'panel', 'worker']

/** Whether processes with these roles open the gateway's databases. */
export function opensGateway(roles: readonly Role[]): boolean {
  return GATEWAY_ROLES.some((role) => roles.includes(role)) || takesBankNotices(roles)
}

/** With a vault, and nothing of the gateway beside, the role notices is the vault's alone. */
function takesBankNotices(roles: readonly Role[]): boolean {
  const isOfVaultAlone =
    roles.includes('vault') && !GATEWAY_ROLES.some((role) => roles.includes(role))
  return roles.includes('notices') && !isOfVaultAlone
}

/** Whether processes with these roles serve an environment, or work for it. */
export function servesEnvironment(
  { workerEnvironments, panelEnvironments }: WorkConfig,
  roles: readonly Role[],
  environment: Environment,
): boolean {
  const isServed =
    environment === 'production'
      ? roles.includes('api') || takesBankNotices(roles)
      : roles.includes('sandbox')
  const isShown = roles.includes('panel') && panelEnvironments.includes(environment)
  return (
    isServed || isShown || (roles.includes('worker') && workerEnvironments.includes(environment))
  )
}

/**
 * Whether the sandbox's databases are opened: production's API passes refunds with `test-mode: 1`
 * on, and accounts of kind test get notices, too.
 */
export function reachesSandbox(config: WorkConfig, roles: readonly Role[]): boolean {
  const isAsked = roles.includes('api') || takesBankNotices(roles)
  return isAsked || servesEnvironment(config, roles, 'sandbox')
}

/** Whether no gateway reaches this vault: none is beside it, and it answers none elsewhere. */
export function isVaultUnreachable(config: Config, roles: readonly Role[]): boolean {
  const isAlone = roles.includes('vault') && !opensGateway(roles)
  return isAlone && config.vaultService.keys === undefined
}

/** Where the vault in another process is. @throws ConfigError when nobody said */
export function vaultServiceOf({ vaultService: { url, keys } }: Config) {
  if (url !== undefined && keys !== undefined) return { url, keys }
  throw new ConfigError(
    'COFRE_VAULT_SERVICE_URL',
    undefined,
    'where the vault answers its gateways, like http://127.0.0.1:8086; or give this process the role vault',
  )
}

/** The roles of `serve` without --roles: no second vault where the vault is elsewhere. */
export function defaultRoles({ vaultService }: Config): readonly Role[] {
  return vaultService.url === undefined ? ALL_IN_ONE : ALL_IN_ONE.filter((role) => role !== 'vault')
}

/** The roles whose databases belong to this installation, as far as the variables say. */
export function installedRoles(config: Config): readonly Role[] {
  return isVaultOnly(config) ? ['vault'] : defaultRoles(config)
}

/**
 * Whether a vault stands here alone: it answers gateways elsewhere, and nothing says or shows that
 * one is here too.
 * @throws the system's error when the data directory may not be seen
 */
function isVaultOnly({ vaultService, namesDatabase, databaseUrls }: Config): boolean {
  const answersOthers = vaultService.keys !== undefined && vaultService.url === undefined
  if (!answersOthers || namesDatabase.gateway) return false
  const file = sqliteFileOf(databaseUrls.production)
  return namesDatabase.vault || file === undefined || !isFileThere(file)
}

/** A gateway beside a lone vault would be one that no shop reaches. @throws SetupError */
export function refuseVaultOnly(config: Config): void {
  if (!isVaultOnly(config)) return
  throw new SetupError(
    'Only a vault is configured here: run this where the gateway runs, with its variables, or set COFRE_DATABASE_URL',
    'COFRE_VAULT_SERVICE_KEY is set, COFRE_DATABASE_URL and COFRE_VAULT_SERVICE_URL are not',
  )
}

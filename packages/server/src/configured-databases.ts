import path from 'node:path'
import { inspectGatewayDatabase } from '@cofre/gateway'
import { inspectSandboxDatabase } from '@cofre/sandbox'
import type { Database, DatabaseInspection } from '@cofre/sql'
import { inspectVaultDatabase } from '@cofre/vault'
import type { Config, Role } from './config/config.js'
import { bankDatabaseUrl, sandboxDatabaseUrl } from './config/sandbox-database-url.js'
import { sqliteFileOf } from './config/sqlite-file.js'
import { openConfiguredVaultDatabase } from './configured-vault-database.js'
import { openBankDatabase, openEnvironmentDatabase } from './environment-database.js'
import { reachesSandbox, servedIn } from './served-environments.js'

/** A database that a configuration names. */
export interface ConfiguredDatabase {
  readonly name: 'production' | 'sandbox' | 'bank' | 'vault'
  /** May hold a password: not for showing. */
  readonly url: string
  /** Changes nothing. */
  inspect(): Promise<DatabaseInspection>
  /** Opens it with its tables up to date. @throws SetupError */
  open(): Promise<Pick<Database<unknown>, 'migrated' | 'close'>>
}

/** The variable that names a database. */
export function variableOf(name: ConfiguredDatabase['name']): string {
  return name === 'vault' ? 'COFRE_VAULT_DATABASE_URL' : 'COFRE_DATABASE_URL'
}

/** The folder of a database that is a file; undefined on a server. */
export function folderOf(url: string): string | undefined {
  const file = sqliteFileOf(url)
  return file === undefined ? undefined : path.dirname(file)
}

/** Every database of this installation; without the vault's where the vault is elsewhere. */
function configuredDatabases(config: Config): readonly ConfiguredDatabase[] {
  const { gatewayDatabaseUrl: url, vaultDatabaseUrl, vaultService } = config
  const [sandboxUrl, bankUrl] = [sandboxDatabaseUrl(url), bankDatabaseUrl(url)]
  const ofGateway: ConfiguredDatabase[] = [
    {
      name: 'production',
      url,
      inspect: () => inspectGatewayDatabase(url, 'production'),
      open: () => openEnvironmentDatabase(config, 'production'),
    },
    {
      name: 'sandbox',
      url: sandboxUrl,
      inspect: () => inspectGatewayDatabase(sandboxUrl, 'sandbox'),
      open: () => openEnvironmentDatabase(config, 'sandbox'),
    },
    {
      name: 'bank',
      url: bankUrl,
      inspect: () => inspectSandboxDatabase(bankUrl),
      open: () => openBankDatabase(config),
    },
  ]
  if (vaultService.url !== undefined) return ofGateway
  return [
    ...ofGateway,
    {
      name: 'vault',
      url: vaultDatabaseUrl,
      inspect: () => inspectVaultDatabase(vaultDatabaseUrl),
      open: () => openConfiguredVaultDatabase(config),
    },
  ]
}

/** Those that processes with these roles open. */
export function databasesOf(config: Config, roles: readonly Role[]): readonly ConfiguredDatabase[] {
  const isOpened: Readonly<Record<ConfiguredDatabase['name'], boolean>> = {
    production: servedIn(config, roles)('production'),
    sandbox: reachesSandbox(config, roles),
    bank: reachesSandbox(config, roles),
    vault: roles.includes('vault'),
  }
  return configuredDatabases(config).filter(({ name }) => isOpened[name])
}

import { statSync } from 'node:fs'
import path from 'node:path'
import { ENVIRONMENTS, type Environment } from '@cofre/contracts'
import {
  type GatewayTables,
  inspectGatewayDatabase,
  isWrappedSecret,
  openGatewayDatabase,
} from '@cofre/gateway'
import { inspectSandboxDatabase, openSandboxDatabase } from '@cofre/sandbox'
import {
  type Database,
  type DatabaseInspection,
  ForeignDatabaseError,
  NewerDatabaseError,
  OutdatedDatabaseError,
  checkSqlitePages,
  isDamage,
  isFileThere,
} from '@cofre/sql'
import { type VaultTables, inspectVaultDatabase, openVaultDatabase, sealedBy } from '@cofre/vault'
import type { Config, Role } from '../config/config.js'
import { bankDatabaseUrl, sandboxDatabaseUrl, sqliteFileOf } from '../config/database-urls.js'
import { SetupError, setUp } from '../config/errors.js'
import { reachesSandbox, servesEnvironment } from './roles.js'

/** What to do about a database that a newer version has changed. */
export const NEWER_ADVICE = 'run the newer version, or restore the backup from before its upgrade'
/** What to do about a database of Cofre 0.1. */
export const OUTDATED_ADVICE = 'start with an empty database'

/** What to do about a database that holds the tables of something else. */
export const FOREIGN_ADVICE =
  'check what the variable and COFRE_DATA_DIR say, and which file was restored'
/** What to do about a database whose files are not as they were written. */
export const RESTORE_ADVICE =
  'stop what uses it, copy its files as they are, and restore the newest backup (docs/incidents.md)'

/** Read in about a second. Larger files are left to the doctor, so that no start takes long. */
const CHECKED_BYTES_MAX = 256 * 1024 ** 2

type Urls = Pick<Config, 'gatewayDatabaseUrl' | 'vaultDatabaseUrl'>

/** A database of every installation. Each takes the configuration that says where it is. */
interface InstalledDatabase<Opened> {
  readonly name: 'production' | 'sandbox' | 'bank' | 'vault'
  /** The variable that names it. */
  readonly variable: 'COFRE_DATABASE_URL' | 'COFRE_VAULT_DATABASE_URL'
  /** May hold a password: not for showing. */
  readonly urlIn: (config: Urls) => string
  /** The absolute path of its SQLite file; undefined on a server. */
  readonly fileIn: (config: Urls) => string | undefined
  /** Looks at it and changes nothing. */
  readonly inspect: (config: Urls) => Promise<DatabaseInspection>
  /** Opens it with its tables up to date. @throws SetupError */
  readonly open: (config: Urls) => Promise<Opened>
  /** Opens it for a command's work. @throws SetupError */
  readonly use: <T>(config: Urls, work: (opened: Opened) => Promise<T>) => Promise<T>
}

function database<Opened extends { close(): Promise<void> }>({
  openUrl,
  inspectUrl,
  ...place
}: Pick<InstalledDatabase<Opened>, 'name' | 'variable' | 'urlIn'> & {
  readonly openUrl: (url: string) => Promise<Opened>
  readonly inspectUrl: (url: string) => Promise<DatabaseInspection>
}): InstalledDatabase<Opened> {
  const { variable, urlIn } = place
  const open = (config: Urls) => openNamed(variable, () => openUrl(urlIn(config)))
  return {
    ...place,
    fileIn: (config) => sqliteFileOf(urlIn(config)),
    inspect: (config) => inspectUrl(urlIn(config)),
    open,
    async use(config, work) {
      const opened = await open(config)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    },
  }
}

type SandboxDatabase = Awaited<ReturnType<typeof openSandboxDatabase>>

export const DATABASES: {
  readonly production: InstalledDatabase<Database<GatewayTables>>
  readonly sandbox: InstalledDatabase<Database<GatewayTables>>
  /** What the sandbox keeps for itself. */
  readonly bank: InstalledDatabase<SandboxDatabase>
  readonly vault: InstalledDatabase<Database<VaultTables>>
} = {
  production: database({
    name: 'production',
    variable: 'COFRE_DATABASE_URL',
    urlIn: ({ gatewayDatabaseUrl }) => gatewayDatabaseUrl,
    openUrl: (url) => openGatewayDatabase(url, 'production'),
    inspectUrl: (url) => inspectGatewayDatabase(url, 'production'),
  }),
  sandbox: database({
    name: 'sandbox',
    variable: 'COFRE_DATABASE_URL',
    urlIn: ({ gatewayDatabaseUrl }) => sandboxDatabaseUrl(gatewayDatabaseUrl),
    openUrl: (url) => openGatewayDatabase(url, 'sandbox'),
    inspectUrl: (url) => inspectGatewayDatabase(url, 'sandbox'),
  }),
  bank: database({
    name: 'bank',
    variable: 'COFRE_DATABASE_URL',
    urlIn: ({ gatewayDatabaseUrl }) => bankDatabaseUrl(gatewayDatabaseUrl),
    openUrl: openSandboxDatabase,
    inspectUrl: inspectSandboxDatabase,
  }),
  vault: database({
    name: 'vault',
    variable: 'COFRE_VAULT_DATABASE_URL',
    urlIn: ({ vaultDatabaseUrl }) => vaultDatabaseUrl,
    openUrl: openVaultDatabase,
    inspectUrl: inspectVaultDatabase,
  }),
}

/** Any of them. */
export type ConfiguredDatabase = (typeof DATABASES)[keyof typeof DATABASES]

/** Those that processes with these roles open; not the vault's where the vault is elsewhere. */
export function databasesOf(config: Config, roles: readonly Role[]): readonly ConfiguredDatabase[] {
  const { production, sandbox, bank, vault } = DATABASES
  return [
    ...(servesEnvironment(config, roles, 'production') ? [production] : []),
    ...(reachesSandbox(config, roles) ? [sandbox, bank] : []),
    ...(roles.includes('vault') && config.vaultService.url === undefined ? [vault] : []),
  ]
}

/** The folder of a database that is a file; undefined on a server. */
export function folderOf(config: Config, { fileIn }: ConfiguredDatabase): string | undefined {
  const file = fileIn(config)
  return file === undefined ? undefined : path.dirname(file)
}

/** The environments whose databases are there. Makes none. @throws SetupError */
export async function presentEnvironments(config: Config): Promise<readonly Environment[]> {
  const inspected = await Promise.all(
    ENVIRONMENTS.map((environment) =>
      openNamed('COFRE_DATABASE_URL', () => DATABASES[environment].inspect(config)),
    ),
  )
  return ENVIRONMENTS.filter((_, i) => inspected[i]?.isNew === false)
}

/** Whether a secret in the database needs a gateway key. @throws SetupError */
export async function hasWrappedSecrets(config: Config, environment: Environment) {
  return await DATABASES[environment].use(config, async ({ reader }) => {
    const stores = await reader.selectFrom('merchants').select('secret').execute()
    return stores.some(({ secret }) => isWrappedSecret(secret))
  })
}

/** Ids of the keys that the vault's database needs. Makes no database. @throws SetupError */
export async function neededVaultKeys(config: Config): Promise<readonly string[]> {
  const { inspect, use, variable } = DATABASES.vault
  const { isNew } = await openNamed(variable, () => inspect(config))
  if (isNew) return []
  return await use(config, async ({ reader }) => {
    const rows = await reader.selectFrom('data_keys').select('wrapped_key').execute()
    return [...new Set(rows.map((row) => sealedBy(row.wrapped_key)))]
  })
}

/**
 * Looks for damage in the database files that these roles serve, before anything is written: SQLite
 * itself finds it only where a statement comes past it. @throws SetupError that names the file
 */
export async function refuseDamagedFiles(
  config: Config,
  roles: readonly Role[],
  tooLarge: (file: string, bytes: number) => void,
): Promise<void> {
  for (const { fileIn, variable } of databasesOf(config, roles)) {
    const file = fileIn(config)
    if (file === undefined || !isFileThere(file)) continue
    const bytes = statSync(file).size
    if (bytes > CHECKED_BYTES_MAX) tooLarge(file, bytes)
    else
      await openNamed(variable, () => {
        checkSqlitePages(file, 'quick')
        return Promise.resolve()
      })
  }
}

/** Opens, or looks at, the database that a variable names. @throws SetupError */
async function openNamed<T>(variable: string, open: () => Promise<T>): Promise<T> {
  const named = `The database that ${variable} names`
  return await setUp(
    `${named} cannot be opened: check that it is there and may be written`,
    async () => {
      try {
        return await open()
      } catch (error) {
        if (isDamage(error))
          throw new SetupError(
            `${named} is damaged, and was left as it is: ${RESTORE_ADVICE}`,
            error,
          )
        if (error instanceof OutdatedDatabaseError)
          throw new SetupError(
            `${named} was made by Cofre 0.1, which this version cannot read: ${OUTDATED_ADVICE}`,
            error,
          )
        if (error instanceof ForeignDatabaseError)
          throw new SetupError(
            `${named} is that of another part of Cofre, or of another program: ${FOREIGN_ADVICE}`,
            error,
          )
        if (!(error instanceof NewerDatabaseError)) throw error
        throw new SetupError(
          `${named} has migrations of a newer version: ${NEWER_ADVICE}`,
          error.unknown.join(', '),
        )
      }
    },
  )
}

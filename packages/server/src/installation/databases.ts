import { statSync } from 'node:fs'
import path from 'node:path'
import { ENVIRONMENTS, type Environment } from '@cofre/contracts'
import { type GatewayTables, inspectGatewayDatabase, openGatewayDatabase } from '@cofre/gateway'
import { isWrappedSecret } from '@cofre/gateway/upkeep'
import { inspectSandboxDatabase, openSandboxDatabase } from '@cofre/sandbox'
import { eventFollows } from '@cofre/events'
import { indexFollows } from '@cofre/search'
import {
  type Database,
  type DatabaseInspection,
  ForeignDatabaseError,
  NewerDatabaseError,
  OlderReleaseError,
  OutdatedDatabaseError,
  checkSqlitePages,
  isDamage,
  isFileThere,
} from '@cofre/sql'
import { type VaultTables, inspectVaultDatabase, openVaultDatabase, sealedBy } from '@cofre/vault'
import type { Config, Role } from '../config/config.js'
import { sqliteFileOf } from '../config/database-urls.js'
import { SetupError, setUp } from '../config/errors.js'
import { reachesSandbox, servesEnvironment } from './roles.js'

/** Advice for a database with damaged files. */
export const RESTORE_ADVICE =
  'stop what uses it, copy its files as they are, and restore the newest backup (docs/incidents.md)'

/** Reasons why a readable database does not fit this version, with advice. */
export const MISFITS = {
  newer: {
    reason: 'has migrations of a newer version',
    advice: 'run the newer version, or restore the backup from before its upgrade',
  },
  outdated: {
    reason: 'was made by Cofre 0.1, which this version cannot read',
    advice: 'start with an empty one, in another COFRE_DATA_DIR or named by the variable',
  },
  older: {
    reason: 'is used by processes of an older release, which could not go on once it is migrated',
    advice: 'stop all gateways, workers and commands that use it, then start this version',
  },
  foreign: {
    reason: 'is that of another part of Cofre, or of another program',
    advice: 'check what the variable and COFRE_DATA_DIR say, and which file was restored',
  },
} as const

/** Read in about a second. Only the doctor checks larger files, so that no start takes long. */
const CHECKED_BYTES_MAX = 256 * 1024 ** 2

type Name = keyof Config['databaseUrls']
type Urls = Pick<Config, 'databaseUrls'>

interface Engine<Opened> {
  readonly open: (url: string) => Promise<Opened>
  readonly inspect: (url: string) => Promise<DatabaseInspection>
}

/** A database of every installation. Its functions take the configuration with its address. */
function database<Opened extends { close(): Promise<void> }>(name: Name, engine: Engine<Opened>) {
  /** The variable that names it. */
  const variable = name === 'vault' ? 'COFRE_VAULT_DATABASE_URL' : 'COFRE_DATABASE_URL'
  /** Opens it and updates its tables. @throws SetupError */
  const open = ({ databaseUrls }: Urls) =>
    openNamed(variable, () => engine.open(databaseUrls[name]))
  return {
    name,
    variable,
    open,
    /** The absolute path of its SQLite file; undefined for a server. */
    fileIn: ({ databaseUrls }: Urls) => sqliteFileOf(databaseUrls[name]),
    /** Inspects it without changes. */
    inspect: ({ databaseUrls }: Urls) => engine.inspect(databaseUrls[name]),
    /** Opens it for a command. @throws SetupError */
    use: async <T>(config: Urls, work: (opened: Opened) => Promise<T>): Promise<T> => {
      const opened = await open(config)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    },
  } as const
}

/** All rooms that follow payments, in every process and command. */
const FOLLOWERS = [indexFollows, eventFollows]

function gatewayDatabase(environment: Environment) {
  return database(environment, {
    open: (url) => openGatewayDatabase(url, environment, FOLLOWERS),
    inspect: (url) => inspectGatewayDatabase(url, environment),
  })
}

type InstalledDatabase<Opened extends { close(): Promise<void> }> = ReturnType<
  typeof database<Opened>
>

export const DATABASES: {
  readonly production: InstalledDatabase<Database<GatewayTables>>
  readonly sandbox: InstalledDatabase<Database<GatewayTables>>
  /** The sandbox's own data. */
  readonly bank: InstalledDatabase<Awaited<ReturnType<typeof openSandboxDatabase>>>
  readonly vault: InstalledDatabase<Database<VaultTables>>
} = {
  production: gatewayDatabase('production'),
  sandbox: gatewayDatabase('sandbox'),
  bank: database('bank', { open: openSandboxDatabase, inspect: inspectSandboxDatabase }),
  vault: database('vault', { open: openVaultDatabase, inspect: inspectVaultDatabase }),
}

export type ConfiguredDatabase = (typeof DATABASES)[keyof typeof DATABASES]

/**
 * Databases that processes with these roles open; without the vault's if it is in another process.
 */
export function databasesOf(config: Config, roles: readonly Role[]): readonly ConfiguredDatabase[] {
  const { production, sandbox, bank, vault } = DATABASES
  return [
    ...(servesEnvironment(config, roles, 'production') ? [production] : []),
    ...(reachesSandbox(config, roles) ? [sandbox, bank] : []),
    ...(roles.includes('vault') && config.vaultService.url === undefined ? [vault] : []),
  ]
}

/** The folder of a database file; undefined for a server. */
export function folderOf(config: Config, { fileIn }: ConfiguredDatabase): string | undefined {
  const file = fileIn(config)
  return file === undefined ? undefined : path.dirname(file)
}

/** The environments with an existing database. Creates none. @throws SetupError */
export async function presentEnvironments(config: Config): Promise<readonly Environment[]> {
  const inspected = await Promise.all(
    ENVIRONMENTS.map((environment) =>
      openNamed('COFRE_DATABASE_URL', () => DATABASES[environment].inspect(config)),
    ),
  )
  return ENVIRONMENTS.filter((_, i) => inspected[i]?.isNew === false)
}

/** True if a secret of a store, an account or a person needs a gateway key. @throws SetupError */
export async function hasWrappedSecrets(config: Config, environment: Environment) {
  return await DATABASES[environment].use(config, async ({ reader }) => {
    const keys = await reader.selectFrom('store_keys').select('secret').execute()
    const accounts = await reader.selectFrom('accounts').select('sealed').execute()
    const people = await reader.selectFrom('people').select('totp').execute()
    const texts = [
      ...keys.map(({ secret }) => secret),
      ...accounts.map(({ sealed }) => sealed),
      ...people.map(({ totp }) => totp ?? ''),
    ]
    return texts.some(isWrappedSecret)
  })
}

/** True if the vault's database exists. Creates none. @throws SetupError */
export async function isVaultPresent(config: Config): Promise<boolean> {
  const { inspect, variable } = DATABASES.vault
  return !(await openNamed(variable, () => inspect(config))).isNew
}

/** Ids of the keys that the vault's database needs. Creates no database. @throws SetupError */
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
 * Checks the database files of these roles for damage, before any write. SQLite itself finds damage
 * only when a statement reads it. @throws SetupError that names the file
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

/** Opens or inspects the database that a variable names. @throws SetupError */
async function openNamed<T>(variable: string, open: () => Promise<T>): Promise<T> {
  const named = `The database that ${variable} names`
  const failed = `${named} cannot be opened: check that it is there and may be written`
  return await setUp(failed, async () => {
    try {
      return await open()
    } catch (error) {
      if (isDamage(error))
        throw new SetupError(`${named} is damaged, and was left as it is: ${RESTORE_ADVICE}`, error)
      const misfit = misfitOf(error)
      if (misfit === undefined) throw error
      const cause = error instanceof NewerDatabaseError ? error.unknown.join(', ') : error
      throw new SetupError(`${named} ${misfit.reason}: ${misfit.advice}`, cause)
    }
  })
}

function misfitOf(error: unknown) {
  if (error instanceof NewerDatabaseError) return MISFITS.newer
  if (error instanceof OutdatedDatabaseError) return MISFITS.outdated
  if (error instanceof OlderReleaseError) return MISFITS.older
  return error instanceof ForeignDatabaseError ? MISFITS.foreign : undefined
}

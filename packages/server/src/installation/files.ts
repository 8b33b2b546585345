import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import process from 'node:process'
import { BrokenLockFileError, type FileLock, FileLockedError, holdFileLock } from '@cofre/sql'
import type { Config, Role } from '../config/config.js'
import { SetupError, setUp } from '../config/errors.js'
import { type ConfiguredDatabase, DATABASES, folderOf } from './databases.js'
import { areVaultKeysGiven, gatewayKeyFileOf, vaultKeyFileOf } from './keys.js'
import { opensGateway } from './roles.js'

const OTHERS = 0o077

/** Name of the operating system's user of this process. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // Containers may run under a number without an account.
    return 'unknown'
  }
}

/** Key files and vault folders that other users can reach. Windows does not report this. */
export function exposuresOf(config: Config, roles: readonly Role[]) {
  const { vaultKeys, gatewayKeys, dataDir } = config
  const hasVault = roles.includes('vault')
  const hasGatewayFile = opensGateway(roles) && gatewayKeys === undefined
  const folders = [
    ...(areVaultKeysGiven(config) ? [] : [dataDir]),
    folderOf(config, DATABASES.vault),
  ]
  return [
    ...(hasVault ? exposuresIn('700', new Set(folders)) : []),
    ...(hasVault && vaultKeys === undefined ? exposuresIn('600', [vaultKeyFileOf(config)]) : []),
    ...(hasGatewayFile ? exposuresIn('600', [gatewayKeyFileOf(config)]) : []),
  ]
}

/** @throws SetupError that names the file, its mode and the command to run */
export function refuseExposed(config: Config, roles: readonly Role[]): void {
  const [first] = exposuresOf(config, roles)
  if (first === undefined) return
  throw new SetupError(
    `Other users of this machine can reach keys or cards: ${first.advice}`,
    first.finding,
  )
}

function exposuresIn(wanted: '600' | '700', files: Iterable<string | undefined>) {
  return [...files].flatMap((file) => {
    const mode = file === undefined ? undefined : modeOf(file)
    if (file === undefined || mode === undefined || (mode & OTHERS) === 0) return []
    const [what, then] =
      wanted === '600'
        ? ['may be read or changed', ', and change the key if one may have read it']
        : ['may be read, changed or entered', '']
    return [
      {
        finding: `${file} ${what} by other users: its mode is ${mode.toString(8)}`,
        advice: `run chmod ${wanted} ${file}${then}; where the file system keeps no modes, set COFRE_DATA_DIR to a folder elsewhere`,
      },
    ]
  })
}

/** Undefined if absent, on Windows, or hidden from this user: opening it reports that. */
function modeOf(file: string): number | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return statSync(file).mode & 0o777
  } catch {
    return undefined
  }
}

/** Advice for a lock file that a power cut broke: it is free, and the database is intact. */
export function brokenLockAdvice(file: string): string {
  return `remove ${file} while nothing serves, and nothing else: the database is another file`
}

/**
 * The lock beside a database's file. Undefined for a server, which many processes may use, and for
 * the gateway's other files, which production's lock covers.
 */
export function servingLockOf(config: Config, database: ConfiguredDatabase): string | undefined {
  const file = database.fileIn(config)
  const hasLock = database.name === 'production' || database.name === 'vault'
  return hasLock && file !== undefined ? `${file}.lock` : undefined
}

/**
 * Locks the database files for this process, until the locks are released: another server's caches
 * and transactions would conflict. Commands can still run beside it.
 * @throws SetupError if another process serves the files
 */
export async function lockServedFiles(
  config: Config,
  roles: readonly Role[],
  taken: (lock: FileLock) => void,
): Promise<void> {
  const served = [
    ...(roles.includes('vault') ? [DATABASES.vault] : []),
    ...(opensGateway(roles) ? [DATABASES.production] : []),
  ]
  for (const database of served) {
    const file = servingLockOf(config, database)
    if (file !== undefined) taken(await lockOf(file, database.variable))
  }
}

function lockOf(file: string, variable: string): Promise<FileLock> {
  const refused = `The lock ${file} cannot be taken: check that this user may write there, and what COFRE_DATA_DIR and ${variable} say (cofre doctor)`
  return setUp(refused, () => {
    try {
      return holdFileLock(file)
    } catch (error) {
      if (error instanceof BrokenLockFileError)
        throw new SetupError(
          `The lock file ${file} is broken: ${brokenLockAdvice(file)}`,
          error.cause,
        )
      if (!(error instanceof FileLockedError)) throw error
      const served = file.replace(/[.]lock$/, '')
      const holder = error.holder === undefined ? 'another process' : `process ${error.holder}`
      throw new SetupError(
        `${served} is served by ${holder} already, and SQLite files by one process only: stop that one, set COFRE_DATA_DIR or ${variable} to others, or use PostgreSQL for several processes`,
        `${file} is locked`,
      )
    }
  })
}

import { BrokenLockFileError, FileLockedError, holdFileLock } from '@cofre/sql'
import { type Config, type Role, needsGateway } from './config/config.js'
import { sqliteFileOf } from './config/sqlite-file.js'
import type { ProcessParts } from './process-parts.js'
import { SetupError, setUp } from './setup-error.js'

/** What to do about a lock file that a power cut, say, has broken. Nobody can hold it; the database beside it is not touched. */
export function brokenLockAdvice(file: string): string {
  return `remove ${file} while nothing serves, and nothing else: the database is another file`
}

/** The lock of a database file, beside it; undefined on a server, which many processes may use. */
export function servingLockOf(databaseUrl: string): string | undefined {
  const file = sqliteFileOf(databaseUrl)
  return file === undefined ? undefined : `${file}.lock`
}

/**
 * Has this process alone serve its database files, until it ends: another one's caches and units of work would not fit. Commands do
 * their work beside it. The gateway's one lock stands for all its files, which are named after one.
 * @throws SetupError when another process serves them
 */
export async function lockServedFiles(
  { config, closings }: Pick<ProcessParts, 'config' | 'closings'>,
  roles: readonly Role[],
): Promise<void> {
  for (const { variable, url } of servedDatabases(config, roles)) {
    const file = servingLockOf(url)
    if (file === undefined) continue
    const lock = await setUp(
      `The lock ${file} cannot be taken: check that this user may write there, and what COFRE_DATA_DIR and ${variable} say (cofre doctor)`,
      () => lockOf(file, variable),
    )
    closings.push(() => {
      lock.release()
      return Promise.resolve()
    })
  }
}

function lockOf(file: string, variable: string): ReturnType<typeof holdFileLock> {
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
}

function servedDatabases(config: Config, roles: readonly Role[]) {
  const { gatewayDatabaseUrl, vaultDatabaseUrl } = config
  return [
    ...(roles.includes('vault')
      ? [{ variable: 'COFRE_VAULT_DATABASE_URL', url: vaultDatabaseUrl }]
      : []),
    ...(roles.some(needsGateway)
      ? [{ variable: 'COFRE_DATABASE_URL', url: gatewayDatabaseUrl }]
      : []),
  ]
}

import path from 'node:path'
import { FileLockedError, holdFileLock } from '@cofre/sql'
import { type Config, type Role, needsGateway } from './config/config.js'
import type { ProcessParts } from './process-parts.js'
import { SetupError, setUp } from './setup-error.js'

const SQLITE = 'sqlite:'

/** The lock of a database file, beside it; undefined on a server, which many processes may use. */
export function servingLockOf(databaseUrl: string): string | undefined {
  if (!databaseUrl.startsWith(SQLITE)) return undefined
  return `${path.resolve(databaseUrl.slice(SQLITE.length))}.lock`
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

import { statSync } from 'node:fs'
import { checkSqlitePages, isFileThere } from '@cofre/sql'
import type { Role } from './config/config.js'
import { sqliteFileOf } from './config/sqlite-file.js'
import { databasesOf, variableOf } from './configured-databases.js'
import { openNamed } from './opened-database.js'
import type { ProcessParts } from './process-parts.js'

/** A file of this size is read in about a second. Larger ones are for the doctor, that no start takes long. */
const CHECKED_BYTES_MAX = 256 * 1024 ** 2

/**
 * Looks for damage in the database files that these roles serve, before anything is written: SQLite itself finds it only where
 * a statement comes past it. @throws SetupError that names the file
 */
export async function refuseDamagedFiles(
  { config, log }: Pick<ProcessParts, 'config' | 'log'>,
  roles: readonly Role[],
): Promise<void> {
  for (const { name, url } of databasesOf(config, roles)) {
    const file = sqliteFileOf(url)
    if (file === undefined || !isFileThere(file)) continue
    const bytes = statSync(file).size
    if (bytes > CHECKED_BYTES_MAX)
      log.info({ file, bytes }, 'a large database is not checked at the start: see cofre doctor')
    else
      await openNamed(variableOf(name), () => {
        checkSqlitePages(file, 'quick')
        return Promise.resolve()
      })
  }
}

import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import type { Migrations } from '../database/database.js'
import { MIGRATION_TABLE, OlderReleaseError, migrate, migrationState } from '../database/migrate.js'
import { SQLITE_BUSY, primaryResultCode } from '../errors/sqlite-result-code.js'
import { isFileThere } from '../files/folder.js'

const BUSY_TIMEOUT_MS = 5000
/** How long processes of one release that start together may block each other. */
const OTHERS_WAITED_MS = 5000
const AGAIN_AFTER_MS = 20
const AGAIN_WITHIN_MS = 100

/** The names of the migrations that were applied to an existing file. Changes nothing. */
export function appliedInFile(file: string): readonly string[] {
  const connection = new DatabaseSync(file, { readOnly: true })
  try {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    const table = connection
      .prepare(`select 1 from sqlite_master where name = '${MIGRATION_TABLE}'`)
      .get()
    if (table === undefined) return []
    const rows = connection.prepare(`select name from ${MIGRATION_TABLE}`).all()
    return rows.map(({ name }) => String(name))
  } finally {
    connection.close()
  }
}

/**
 * Applies the missing migrations if one of them must be applied alone. It has the file to itself
 * until all are applied. Returns their names; none if other processes may continue meanwhile.
 * @param over - Makes Kysely from a connection.
 * @throws OlderReleaseError while other processes have the file open, and the first migration's
 * error
 */
export async function migrateAlone<Tables>(
  file: string,
  migrations: Migrations,
  over: (connection: DatabaseSync) => Kysely<Tables>,
): Promise<readonly string[]> {
  const deadlineMs = performance.now() + OTHERS_WAITED_MS
  while (isAloneNext(file, migrations)) {
    const connection = openAlone(file)
    if (connection !== undefined)
      try {
        const refuseOthers = () => Promise.resolve()
        return await migrate({ database: over(connection), migrations, refuseOthers })
      } finally {
        connection.close()
      }
    if (performance.now() >= deadlineMs)
      throw new OlderReleaseError(`another process has ${file} open`)
    // A random pause, so that starting processes don't meet again.
    await pause(randomInt(AGAIN_AFTER_MS, AGAIN_WITHIN_MS))
  }
  return []
}

function isAloneNext(file: string, migrations: Migrations): boolean {
  const isEver = Object.values(migrations).some(({ isAlone }) => isAlone === true)
  return isEver && isFileThere(file) && migrationState(appliedInFile(file), migrations).isAloneNext
}

/**
 * Opens the file so that no other connection reads or writes it until this one is closed. Undefined
 * if another has it open.
 */
function openAlone(file: string): DatabaseSync | undefined {
  const connection = new DatabaseSync(file)
  try {
    // An open connection shares a lock on the file, even at rest. Leaving the write-ahead log needs
    // the whole file, and this locking mode then keeps it.
    connection.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE;
      PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON`)
    return connection
  } catch (error) {
    connection.close()
    if (primaryResultCode(error) === SQLITE_BUSY) return undefined
    throw error
  }
}

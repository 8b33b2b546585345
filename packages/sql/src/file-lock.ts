import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { isFileThere, makeFolder } from './folder.js'

/** Long enough for a process that is just ending to have let go. */
const WAIT_MS = 2000
const SQLITE_BUSY = 5
const PRIMARY_CODE = 0xff
/** Where the header of an SQLite file has the number that `PRAGMA user_version` sets: there is the holder's process id. */
const HOLDER_OFFSET = 60

/** A lock that this process holds until it lets go or ends, however it ends. */
export interface FileLock {
  release(): void
}

/** Another process, or another part of this one, holds the lock. */
export class FileLockedError extends Error {
  /** The process id of the holder, as it has written it; undefined when it could not. */
  readonly holder: number | undefined

  constructor(file: string, holder: number | undefined) {
    super(`${file} is locked`)
    this.name = 'FileLockedError'
    this.holder = holder
  }
}

/**
 * Locks a file, which is created when absent and stays. It is an SQLite file, because SQLite has the one lock that Node offers on every
 * system and that the system itself releases when a process is killed.
 * @throws FileLockedError when the lock is not free within two seconds, and what SQLite refuses with
 */
export function holdFileLock(file: string, waitMs: number = WAIT_MS): FileLock {
  makeFolder(path.dirname(path.resolve(file)))
  const database = new DatabaseSync(file)
  try {
    // Without a journal on the disk: all that is ever written is the number of a process.
    database.exec(`PRAGMA busy_timeout = ${waitMs}; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF`)
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw isBusy(error) ? new FileLockedError(file, holderIn(file)) : error
  }
  tellHolder(database)
  return {
    release() {
      database.close()
    },
  }
}

/** Says who holds it. In this locking mode the end of a unit of work releases nothing. A full disk is no reason not to start. */
function tellHolder(database: DatabaseSync): void {
  try {
    database.exec(`PRAGMA user_version = ${process.pid}; COMMIT`)
  } catch {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
  database.exec('BEGIN EXCLUSIVE')
}

/** Whether a process holds the lock, and which; undefined when nobody does. Changes nothing. Not for the holder itself. */
export function fileLockHolder(file: string): { readonly holder: number | undefined } | undefined {
  if (!isFileThere(file)) return undefined
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.prepare('select count(*) from sqlite_master').get()
    return undefined
  } catch (error) {
    if (!isBusy(error)) throw error
    return { holder: holderIn(file) }
  } finally {
    database.close()
  }
}

/** Read past SQLite, which lets nobody else read. A holder must never do so: closing a file ends a process's POSIX locks on it. */
function holderIn(file: string): number | undefined {
  const header = readFileSync(file)
  const holder = header.length >= HOLDER_OFFSET + 4 ? header.readUInt32BE(HOLDER_OFFSET) : 0
  return holder === 0 ? undefined : holder
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & PRIMARY_CODE) === SQLITE_BUSY
  )
}

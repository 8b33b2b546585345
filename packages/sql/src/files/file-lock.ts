import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../errors/damage.js'
import { isFileThere, makeFolder } from './folder.js'
import { SQLITE_BUSY, primaryResultCode } from '../errors/sqlite-result-code.js'

/** Long enough for a process that is just ending to have let go. */
const WAIT_MS = 2000
/**
 * Where the header of an SQLite file has the number that `PRAGMA user_version` sets: there is the
 * holder's process id.
 */
const HOLDER_OFFSET = 60

/** The files of the locks that this process holds. */
const heldHere = new Set<string>()

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
 * The file is not what this module writes: half-written when the power went, or another program's.
 * Nobody holds it.
 */
export class BrokenLockFileError extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file} is broken: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'BrokenLockFileError'
  }
}

/**
 * Locks a file, which is created when absent and stays. It is an SQLite file, because SQLite has
 * the one lock that Node offers on every system and that the system itself releases when a process
 * is killed.
 * @throws FileLockedError when the lock is not free within two seconds, BrokenLockFileError, and
 * what SQLite refuses with
 */
export function holdFileLock(file: string, waitMs: number = WAIT_MS): FileLock {
  const held = path.resolve(file)
  if (heldHere.has(held)) throw new FileLockedError(file, process.pid)
  makeFolder(path.dirname(held))
  const database = new DatabaseSync(file)
  try {
    // Without a journal on the disk: all that is ever written is the number of a process. What is
    // written is synchronized, which is SQLite's default: a file that lost its header to a power
    // cut would keep the next start away.
    database.exec(`PRAGMA busy_timeout = ${waitMs}; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = MEMORY`)
    database.exec('BEGIN EXCLUSIVE')
    writeHolder(database)
  } catch (error) {
    database.close()
    throw isBusy(error) ? new FileLockedError(file, holderIn(file)) : describedFailure(file, error)
  }
  heldHere.add(held)
  return {
    release() {
      heldHere.delete(held)
      database.close()
    },
  }
}

/**
 * Says who holds it. In this locking mode the end of a unit of work releases nothing. A full disk
 * is no reason not to start.
 */
function writeHolder(database: DatabaseSync): void {
  try {
    database.exec(`PRAGMA user_version = ${process.pid}; COMMIT`)
  } catch {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
  database.exec('BEGIN EXCLUSIVE')
}

/**
 * Whether a process holds the lock, and which; undefined when nobody does. Changes nothing.
 * @throws BrokenLockFileError, and the system's error when the file may not be seen
 */
export function fileLockHolder(file: string): { readonly holder: number | undefined } | undefined {
  if (heldHere.has(path.resolve(file))) return { holder: process.pid }
  if (!isFileThere(file)) return undefined
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.prepare('select count(*) from sqlite_master').get()
    return undefined
  } catch (error) {
    if (!isBusy(error)) throw describedFailure(file, error)
    return { holder: holderIn(file) }
  } finally {
    database.close()
  }
}

/**
 * Read past SQLite, which lets nobody else read. Never of a lock that is held here: closing a file
 * ends a process's POSIX locks on it.
 */
function holderIn(file: string): number | undefined {
  const header = readFileSync(file)
  const holder = header.length >= HOLDER_OFFSET + 4 ? header.readUInt32BE(HOLDER_OFFSET) : 0
  return holder === 0 ? undefined : holder
}

function isBusy(error: unknown): boolean {
  return primaryResultCode(error) === SQLITE_BUSY
}

/** A broken file has an error of its own; any other failure is itself. */
function describedFailure(file: string, error: unknown): unknown {
  return isDamage(error) ? new BrokenLockFileError(file, error) : error
}

import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../errors/damage.js'
import { isFileThere, makeFolder } from './folder.js'
import { SQLITE_BUSY, primaryResultCode } from '../errors/sqlite-result-code.js'

/** Long enough for an ending process to release the lock. */
const WAIT_MS = 2000
/**
 * The place of `PRAGMA user_version` in the header of an SQLite file. It holds the holder's process
 * id.
 */
const HOLDER_OFFSET = 60

/** The files of the locks that this process holds. */
const heldHere = new Set<string>()

/** A lock that this process holds until it releases it or ends, however it ends. */
export interface FileLock {
  release(): void
}

/** Another process, or another part of this one, holds the lock. */
export class FileLockedError extends Error {
  /** The holder's process id, as it wrote it; undefined if it could not. */
  readonly holder: number | undefined

  constructor(file: string, holder: number | undefined) {
    super(`${file} is locked`)
    this.name = 'FileLockedError'
    this.holder = holder
  }
}

/**
 * The file isn't what this module writes: half-written in a power cut, or another program's. No
 * process holds it.
 */
export class BrokenLockFileError extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file} is broken: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'BrokenLockFileError'
  }
}

/**
 * Locks a file, which is created if absent and stays. It is an SQLite file: SQLite has the only
 * lock that Node offers on every system and that the system releases when a process is killed.
 * @throws FileLockedError when the lock is not free within `waitMs`, BrokenLockFileError, and
 * SQLite's error
 */
export function holdFileLock(file: string, waitMs: number = WAIT_MS): FileLock {
  const held = path.resolve(file)
  if (heldHere.has(held)) throw new FileLockedError(file, process.pid)
  makeFolder(path.dirname(held))
  const database = new DatabaseSync(file)
  try {
    // Without a journal on the disk: only a process's number is ever written. Writes are
    // synchronized, which is SQLite's default: a file that lost its header in a power cut would
    // block the next start.
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
 * Writes the holder's id. In this locking mode the end of a unit of work releases nothing. A full
 * disk doesn't prevent the start.
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
 * The holder of the lock; undefined if no process holds it. Changes nothing.
 * @throws BrokenLockFileError, and the system's error when access to the file is denied
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
 * Reads past SQLite, which locks out other readers. Never call it for a lock that is held here:
 * closing a file ends a process's POSIX locks on it.
 */
function holderIn(file: string): number | undefined {
  const header = readFileSync(file)
  const holder = header.length >= HOLDER_OFFSET + 4 ? header.readUInt32BE(HOLDER_OFFSET) : 0
  return holder === 0 ? undefined : holder
}

function isBusy(error: unknown): boolean {
  return primaryResultCode(error) === SQLITE_BUSY
}

/** A broken file gets an error of its own; any other failure is returned as it is. */
function describedFailure(file: string, error: unknown): unknown {
  return isDamage(error) ? new BrokenLockFileError(file, error) : error
}

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DamagedDatabaseError, isDamage } from '../errors/damage.js'
import { isFileThere } from '../files/folder.js'
import { readWalIndex } from './wal-index.js'
import { readWriteAheadLog } from './write-ahead-log.js'

const HEADER_BYTES = 100
const HEADER_START = 'SQLite format 3\0'
const PAGE_SIZE_AT = 16
/** The code for the one page size that two bytes cannot hold. */
const LARGEST_PAGES = 1
const LARGEST_PAGE_BYTES = 65_536
const BUSY_TIMEOUT_MS = 5000
const RETRY_MS = 200

/** The files that this process has open, with the number of times. */
const openHere = new Map<string, number>()

/** Records that this process has a database open. Returns a function that records its closing. */
export function recordOpenFile(file: string): () => void {
  const key = path.resolve(file)
  openHere.set(key, (openHere.get(key) ?? 0) + 1)
  return () => {
    const times = (openHere.get(key) ?? 0) - 1
    if (times > 0) openHere.set(key, times)
    else openHere.delete(key)
  }
}

/**
 * Refuses an SQLite database if SQLite would silently lose committed data. SQLite takes an empty
 * file for a new database. It reads a write-ahead log up to the first damaged frame and ignores the
 * rest. Call it before SQLite opens the file, because its last connection removes the log. Other
 * processes may use the database meanwhile.
 * @throws DamagedDatabaseError, and the system's error
 */
export function refuseLostCommits(file: string): void {
  // It was checked when it was opened. Closing a file here would end SQLite's locks on it, which
  // belong to the process.
  if (openHere.has(path.resolve(file))) return
  const found = whatIsLost(file)
  if (found === undefined) return
  // While another process writes or creates the file, its parts may not fit together. A second look
  // doesn't find the same then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
  if (whatIsLost(file) === found) throw new DamagedDatabaseError(file, found)
}

/**
 * True if a process was killed while it created the file. SQLite keeps a journal beside it until
 * its first page is on disk, and none afterwards. The next process that writes to it starts anew.
 */
function isBeingMade(file: string): boolean {
  return (
    isFileThere(`${file}-journal`) && isFileThere(file) && statSync(file).size <= LARGEST_PAGE_BYTES
  )
}

function whatIsLost(file: string): string | undefined {
  if (isBeingMade(file)) return undefined
  // Read first: the log then has everything that the index describes.
  const index = readWalIndex(`${file}-shm`)
  const name = `its write-ahead log ${file}-wal`
  const log = readWriteAheadLog(`${file}-wal`)
  if (!isFileThere(file)) return log === undefined ? undefined : `it is gone, and ${name} is there`
  if (statSync(file).size === 0) return 'it is empty'
  if (log === undefined)
    return index !== undefined && index.committed > index.copied
      ? `${name} is gone, and with it commits that were nowhere else`
      : undefined
  const { committed, brokenAt, pageSize, salts } = log
  if (brokenAt !== undefined)
    return `${name} is not as it was written at frame ${brokenAt}, and commits are behind that`
  if (index?.salts.equals(salts) === true && index.committed > committed)
    return `${name} can be read to frame ${committed} only, and had commits to frame ${index.committed}`
  return committed > 0 && (pageSizeOf(file) ?? pageSize) !== pageSize
    ? `${name} is that of another database`
    : undefined
}

/** In bytes; undefined if the file has no SQLite header. */
function pageSizeOf(file: string): number | undefined {
  const header = Buffer.alloc(HEADER_BYTES)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, header, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(handle)
  }
  if (!header.toString('latin1').startsWith(HEADER_START)) return undefined
  const size = header.readUInt16BE(PAGE_SIZE_AT)
  return size === LARGEST_PAGES ? LARGEST_PAGE_BYTES : size
}

/**
 * Reads every page of an existing SQLite database, as its last commit left it. Changes nothing.
 * @param depth - `quick` doesn't compare indexes with their tables, and takes a fraction of the
 * time.
 * @throws DamagedDatabaseError with the first finding, and SQLite's error
 */
export function checkSqlitePages(file: string, depth: 'quick' | 'full'): void {
  refuseLostCommits(file)
  if (isBeingMade(file)) return
  // Read-only: the last connection that may write would move the log into the database.
  const connection = new DatabaseSync(file, { readOnly: true })
  try {
    const check = depth === 'quick' ? 'quick_check' : 'integrity_check'
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    const [row] = connection.prepare(`PRAGMA ${check}(1)`).all()
    const finding = String(row?.[check])
    if (finding !== 'ok') throw new DamagedDatabaseError(file, finding)
  } catch (error) {
    throw namedDamage(file, error)
  } finally {
    connection.close()
  }
}

/**
 * SQLite's error for a damaged file, with the file's name; any other failure is returned as it is.
 */
export function namedDamage(file: string, error: unknown): unknown {
  if (!isDamage(error) || error instanceof DamagedDatabaseError) return error
  return new DamagedDatabaseError(file, error instanceof Error ? error.message : String(error))
}

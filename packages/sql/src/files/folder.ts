import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** The file's status; undefined if it is absent, or below a file, where systems differ. */
const statOf = (file: string) => statSync(file, { throwIfNoEntry: false })

/**
 * True if a file or folder exists.
 * @throws the system's error when it denies access: that doesn't mean absent
 */
export function isFileThere(file: string): boolean {
  if (statOf(file) !== undefined) return true
  refuseFileAbove(file)
  return false
}

/**
 * Refuses a path below a file, where nothing can ever be.
 * @throws an error like the system's
 */
function refuseFileAbove(file: string): void {
  const parent = path.dirname(file)
  if (parent === file) return
  const found = statOf(parent)
  if (found === undefined) refuseFileAbove(parent)
  else if (!found.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, '${parent}'`), { code: 'ENOTDIR' })
}

/** Whatever the process's umask is: these folders hold databases, keys and logs. */
const OWNER_ONLY = 0o700

/**
 * Makes a folder, and those above it, for its owner alone. Node's own way loops for ever if the
 * system reports a folder as absent but can't make it, as in /proc.
 * @throws the system's error
 */
export function makeFolder(folder: string): void {
  const isMade = () => statOf(folder)?.isDirectory() === true
  if (isMade()) return
  refuseFileAbove(folder)
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, OWNER_ONLY)
  } catch (error) {
    // Another process may have been faster.
    if (!isMade()) throw error
  }
}

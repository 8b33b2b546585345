import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** What is there; undefined also for what stands below a file, of which systems differ. */
const statOf = (file: string) => statSync(file, { throwIfNoEntry: false })

/**
 * Whether a file or folder is there.
 * @throws the system's error when it does not let us see: that is no "no"
 */
export function isFileThere(file: string): boolean {
  if (statOf(file) !== undefined) return true
  refuseFileAbove(file)
  return false
}

/**
 * Nothing can ever be below a file.
 * @throws an error as the system has it
 */
function refuseFileAbove(file: string): void {
  const parent = path.dirname(file)
  if (parent === file) return
  const found = statOf(parent)
  if (found === undefined) refuseFileAbove(parent)
  else if (!found.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, '${parent}'`), { code: 'ENOTDIR' })
}

/** Whatever the process's umask is: what is made here holds databases, keys and logs. */
const OWNER_ONLY = 0o700

/**
 * Makes a folder for its owner alone, with those above it. Not by Node's own way: that asks for
 * ever where the system answers that a folder is not there and lets nobody make it, as in /proc.
 * @throws the system's error
 */
export function makeFolder(folder: string): void {
  const isMade = () => statOf(folder)?.isDirectory() === true
  if (isMade()) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, OWNER_ONLY)
  } catch (error) {
    // Another process may have been quicker.
    if (!isMade()) throw error
  }
}

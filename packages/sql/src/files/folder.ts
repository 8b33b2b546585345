import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Whether a file or folder is there.
 * @throws the system's error when it does not let us see: that is no "no"
 */
export function isFileThere(file: string): boolean {
  try {
    statSync(file)
    return true
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    refuseFileAbove(file)
    return false
  }
}

/**
 * Nothing can ever be below a file: Windows says of that only that it is not there.
 * @throws an error as other systems have it
 */
function refuseFileAbove(file: string): void {
  const parent = path.dirname(file)
  if (parent === file) return
  try {
    if (statSync(parent).isDirectory()) return
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    refuseFileAbove(parent)
    return
  }
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
  try {
    if (statSync(folder).isDirectory()) return
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, OWNER_ONLY)
  } catch (error) {
    // Another process may have been quicker.
    if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

import { accessSync, constants, statSync, statfsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { isFileThere } from '@cofre/sql'
import { userName } from '../installation/files.js'
import { type Finding, about, messageOf } from './finding.js'

/** Advice for an unusable folder. */
export const FOLDER_ADVICE =
  'give it to the user that runs Cofre (chown), or set COFRE_DATA_DIR to a folder that this user may write'

/** Linux's type numbers of /proc and /sys, which seem writable to root. */
const SYSTEM_TYPES = [0x9fa0, 0x62656572]

/** Checks that this user can create and change files in a folder, or create the folder. */
export function checkFolder(folder: string): Finding {
  const { ok, problem } = about(`folder ${folder}`)
  const reason = writeProblem(folder)
  if (reason !== undefined) return problem(reason, FOLDER_ADVICE)
  const there = nearestExisting(folder)
  return there === folder
    ? ok(`${ownerOf(folder)}, and the user ${userName()} may write it`)
    : ok(`does not exist yet: the first start creates it in ${there}`)
}

/** Reason why no file can be created in an existing or future folder; undefined if one can. */
export function writeProblem(folder: string): string | undefined {
  try {
    const there = nearestExisting(folder)
    if (!statSync(there).isDirectory()) return `${there} is not a folder`
    if (SYSTEM_TYPES.includes(statfsSync(there).type))
      return `${there} belongs to the system: nobody can create a file there`
    try {
      accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
      return undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return `${there} may not be written by the user ${userName()}: ${ownerOf(there)} (${code ?? messageOf(error)})`
    }
  } catch (error) {
    return `the user ${userName()} may not read it: ${messageOf(error)}`
  }
}

/** The folder, or its nearest existing parent. @throws the system's error */
function nearestExisting(folder: string): string {
  let there = folder
  while (!exists(there) && path.dirname(there) !== there) there = path.dirname(there)
  return there
}

function exists(folder: string): boolean {
  try {
    return isFileThere(folder)
  } catch (error) {
    // Some parent is a file.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw error
  }
}

function ownerOf(folder: string): string {
  if (process.platform === 'win32') return 'it is there'
  const { uid, mode } = statSync(folder)
  const whose = uid === process.getuid?.() ? userName() : `the user with id ${uid}`
  return `it belongs to ${whose} (mode ${(mode & 0o777).toString(8)})`
}

import { accessSync, constants, statSync, statfsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { isFileThere } from '@cofre/sql'
import { userName } from '../installation/files.js'
import { type Finding, about, messageOf } from './finding.js'

/** What to do about a folder that cannot be used. */
export const FOLDER_ADVICE =
  'give it to the user that runs Cofre (chown), or set COFRE_DATA_DIR to a folder that it may write'

/** Linux's numbers of /proc and /sys: root seems to be allowed to write there. */
const SYSTEM_TYPES = [0x9fa0, 0x62656572]

/** Whether this user may make and change files in a folder, or may make the folder. */
export function checkFolder(folder: string): Finding {
  const { ok, problem } = about(`folder ${folder}`)
  const reason = whyNotWritable(folder)
  if (reason !== undefined) return problem(reason, FOLDER_ADVICE)
  const there = nearestThere(folder)
  return there === folder
    ? ok(`${ownerOf(folder)}, and the user ${userName()} may write it`)
    : ok(`not there yet: the first start makes it in ${there}`)
}

/** Why nothing can be made in a folder that is there, or is to be made; undefined when it can. */
export function whyNotWritable(folder: string): string | undefined {
  try {
    const there = nearestThere(folder)
    if (!statSync(there).isDirectory()) return `${there} is no folder`
    if (SYSTEM_TYPES.includes(statfsSync(there).type))
      return `${there} is the system's own: nobody can make a file there`
    try {
      accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
      return undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return `${there} may not be written by the user ${userName()}: ${ownerOf(there)} (${code ?? messageOf(error)})`
    }
  } catch (error) {
    return `the user ${userName()} may not look at it: ${messageOf(error)}`
  }
}

/** The folder, or the nearest above it that is there. @throws the system's error */
function nearestThere(folder: string): string {
  let there = folder
  while (!isThere(there) && path.dirname(there) !== there) there = path.dirname(there)
  return there
}

function isThere(folder: string): boolean {
  try {
    return isFileThere(folder)
  } catch (error) {
    // Somewhere above is a file.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw error
  }
}

function ownerOf(folder: string): string {
  if (process.platform === 'win32') return 'it is there'
  const { uid, mode } = statSync(folder)
  const whose = uid === process.getuid?.() ? userName() : `the user with the number ${uid}`
  return `it belongs to ${whose} (mode ${(mode & 0o777).toString(8)})`
}

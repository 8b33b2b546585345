// Refuses keys and databases that git tracks: a repository's history can't be recalled. `npm test`
// calls it; by itself it checks the given repository: node .ci/tracked-secrets.mjs [folder]
import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { ROOT } from './run-tool.mjs'

/**
 * Public test material: folders of it, such as a certificate, and the key of the releases' data.
 */
const TEST_MATERIAL = /(^|\/)(fixtures|test-data)\/|^test\/releases\/public-test-key$/

const NAMES = [
  [/^(vault|gateway)-keys([.](?![jt]s$).*|~)?$/, 'is named like a key file'],
  [/[.](db|sqlite3?)(-wal|-shm|-journal)?$/i, 'is named like a database'],
  [/[.](pem|p12|pfx|key)$/i, 'is named like a key or a certificate'],
]

const CONTENTS = [
  [/^SQLite format 3\0/, 'is an SQLite database'],
  [/-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/, 'holds a private key'],
  // id:key, as in key files and COFRE_…_KEY: 32 bytes in base64url.
  [/(^|[\s=,"'`])[\w-]{1,32}:[\w-]{43}(?![\w-])/m, 'holds a key of Cofre (id:key)'],
  [/\bshare-[0-9a-f]{16}-\d{1,3}-\d{1,3}-[0-9a-f]{60}/, "holds a custodian's share of a key"],
]

/**
 * The files that git tracks below a folder; undefined if it tracks none, as in an unpacked archive,
 * or if there is no git.
 */
function trackedFiles(folder) {
  try {
    // For any owner of the folder: none of its code is run.
    const args = ['-c', 'safe.directory=*', 'ls-files', '-z']
    const listed = execFileSync('git', args, { cwd: folder, stdio: 'pipe', maxBuffer: 2 ** 28 })
    const files = listed.toString('utf8').split('\0').filter(Boolean)
    return files.length === 0 ? undefined : files
  } catch {
    return undefined
  }
}

function whyRefused(folder, file) {
  if (TEST_MATERIAL.test(file)) return undefined
  const named = NAMES.find(([pattern]) => pattern.test(path.posix.basename(file)))
  if (named !== undefined) return named[1]
  const place = path.join(folder, file)
  if (!(lstatSync(place, { throwIfNoEntry: false })?.isFile() ?? false)) return undefined
  const text = readFileSync(place, 'latin1')
  return CONTENTS.find(([pattern]) => pattern.test(text))?.[1]
}

/**
 * Prints the tracked secrets. Returns an exit code: 1 if there are any; 0 otherwise, also without a
 * git repository.
 */
export function refuseTrackedSecrets(folder) {
  const files = trackedFiles(folder)
  if (files === undefined) {
    console.log('Skipped: no git here, or no file that it tracks.')
    return 0
  }
  const refused = files.map((file) => [file, whyRefused(folder, file)]).filter(([, why]) => why)
  for (const [file, why] of refused)
    console.error(
      `${file} ${why}, and git tracks it: take it out (git rm --cached), and count its keys as known`,
    )
  return refused.length === 0 ? 0 : 1
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url))
  process.exitCode = refuseTrackedSecrets(process.argv[2] ?? ROOT)

import { StoreSecretError } from '@cofre/gateway'
import { isUnavailable } from '@cofre/sql'
import { KeyRingError } from '@cofre/vault'
import { UsageError } from './commands/line/usage-error.js'
import { OperatorError } from './config/errors.js'
import { diskSentence, isFullDisk } from './full-disk.js'
import { userName } from './installation/files.js'

/** Our errors with a message that explains the fix. */
const EXPECTED = [OperatorError, KeyRingError, StoreSecretError]

/** A sentence for errors that the operator can fix; all details for bugs. */
export function failureSentence(error: unknown): string {
  if (!(error instanceof Error)) return `cofre: ${String(error)}`
  if (error instanceof UsageError) return error.sentence
  if (EXPECTED.some((kind) => error instanceof kind)) return `cofre: ${error.message}`
  if (isFullDisk(error)) return diskSentence(error)
  if (isFileFault(error))
    return `cofre: a file or folder cannot be used as it is: ${error.message}. Check what COFRE_DATA_DIR says, and that the user ${userName()} may read and write there (cofre doctor)`
  if (isUnavailable(error))
    return `cofre: the database cannot work now: ${error.message}. See that it is there, may be written and has room (cofre doctor), and try again`
  return `cofre: ${error.stack ?? error.message}`
}

/** System errors for a file of another user, on a read-only disk, or of the wrong kind. */
const FILE_FAULTS = ['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EROFS', 'EEXIST']

function isFileFault(error: Error): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  // Any other missing file is a bug.
  return FILE_FAULTS.includes(code) || (code === 'ENOENT' && syscall === 'mkdir')
}

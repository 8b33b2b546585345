export const SQLITE_BUSY = 5

/** An extended result code holds the primary one in its lowest byte. */
const PRIMARY_CODE = 0xff

/** The primary result code of an error of `node:sqlite`; undefined of any other. */
export function primaryResultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & PRIMARY_CODE : undefined
}

/**
 * A journal that was to be deleted is gone already: SQLITE_IOERR_DELETE_NOENT, an extended code.
 */
const JOURNAL_GONE = 5898

/**
 * Whether an error of `node:sqlite` is what a process meets that opens a file which another one is
 * making.
 */
export function isBeingMade(error: unknown): boolean {
  if (primaryResultCode(error) === SQLITE_BUSY) return true
  return error instanceof Error && 'errcode' in error && error.errcode === JOURNAL_GONE
}

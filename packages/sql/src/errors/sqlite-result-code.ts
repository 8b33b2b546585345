export const SQLITE_BUSY = 5

/** An extended result code holds the primary one in its lowest byte. */
const PRIMARY_CODE = 0xff

/** The primary result code of an error of `node:sqlite`; undefined for any other error. */
export function primaryResultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & PRIMARY_CODE : undefined
}

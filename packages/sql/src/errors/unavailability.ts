import { someCause } from './error-causes.js'
import { SQLITE_BUSY, primaryResultCode } from './sqlite-result-code.js'

/**
 * PostgreSQL's states while it cannot work: connection lost (08); out of disk, memory or
 * connections (53); starting or stopping (57P); a statement or unit of work that took too long
 * (57014, 25P03); a lock not given in time (55P03); a deadlock (40P01); read-only after a fail-over
 * or to save its disk (25006); a failure of its machine (58).
 */
const SQL_STATES = /^(08...|53...|57P0[1-5]|57014|25P03|25P04|55P03|40P01|25006|58000|58030)$/

/**
 * SQLite's primary result codes for a file that is busy, locked (6), read-only (8), broken (10),
 * full (13), not opened (14) or contended (15), and for too little memory (7).
 */
const SQLITE_CODES: ReadonlySet<unknown> = new Set([SQLITE_BUSY, 6, 7, 8, 10, 13, 14, 15])

/** The system's codes for a server that cannot be reached, or no longer. */
const SYSTEM_CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EMFILE|ENFILE)$/

/** Our message for a server that keeps a caller waiting for too long. */
export const SERVER_IS_SILENT = 'PostgreSQL does not answer'

/** Our message for a server that cannot be written to. */
export const SERVER_IS_STANDBY = 'the server is a standby, or read-only'

/** Our message if none of several servers can be written to. */
export const NO_PRIMARY = 'no server of PostgreSQL takes writes'

/** Our message for a commit that a fail-over could lose. */
export const STANDBY_IS_BEHIND = 'the standby does not have the commit'

const OUR_MESSAGES = [SERVER_IS_SILENT, SERVER_IS_STANDBY, NO_PRIMARY, STANDBY_IS_BEHIND]

/**
 * Messages of PostgreSQL's driver, without a code, for connections that were lost or not given in
 * time.
 */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable)/

/**
 * True if a database's error means that it cannot work now (gone, slow, full, read-only), so that
 * the same may succeed later; any other error is our bug. After such a failure of a commit, the
 * unit of work may or may not be committed. A network error of another party looks the same, so
 * code that calls another party passes on only its reason.
 */
export function isUnavailable(error: unknown): boolean {
  return someCause(error, indicatesUnavailability)
}

function indicatesUnavailability(error: Error & { code?: unknown }): boolean {
  const { code, message } = error
  if (code === 'ERR_SQLITE_ERROR') return SQLITE_CODES.has(primaryResultCode(error))
  if (typeof code === 'string' && (SQL_STATES.test(code) || SYSTEM_CODES.test(code))) return true
  return DRIVER_MESSAGES.test(message) || OUR_MESSAGES.some((ours) => message.startsWith(ours))
}

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { ShopLog } from '../shop-deps.js'
import { type ShopState, parseState, writeState } from './shop-state.js'

const SESSIONS_MAX = 1_000
const ORDERS_MAX = 1_000
const OWNER_ONLY = 0o600

/** Where the shop's state outlives its process. */
export interface StateFile {
  /** What the last process left; nothing when there is no file or it cannot be read. */
  readonly kept: ShopState
  /** Writes the most recent sessions and orders, which come last. A failure is logged: the shop sells on. */
  write(state: ShopState): void
}

const NOTHING: ShopState = { sessions: [], orders: [] }

export function openStateFile(path: string | undefined, log: ShopLog): StateFile {
  if (path === undefined) return { kept: NOTHING, write: () => undefined }
  return {
    kept: readState(path, log),
    write({ sessions, orders }) {
      const recent = { sessions: sessions.slice(-SESSIONS_MAX), orders: orders.slice(-ORDERS_MAX) }
      try {
        replaceFile(path, writeState(recent))
      } catch (error) {
        log.error({ path, reason: reasonOf(error) }, 'the state of the shop was not kept')
      }
    },
  }
}

function readState(path: string, log: ShopLog): ShopState {
  // A shop that opens for the first time.
  if (!existsSync(path)) return NOTHING
  try {
    return parseState(readFileSync(path, 'utf8'))
  } catch (error) {
    log.warn({ path, reason: reasonOf(error) }, 'the shop starts empty: no state to read')
    return NOTHING
  }
}

/** Readers see the old file or the new one, never a part. */
function replaceFile(path: string, text: string): void {
  const next = `${path}.next`
  // A file left by a crash would keep its own mode.
  rmSync(next, { force: true })
  writeFileSync(next, text, { mode: OWNER_ONLY, flag: 'wx' })
  renameSync(next, path)
}

/** Never the message: that of a JSON error quotes the file. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error ? String(error.code) : error.name
}

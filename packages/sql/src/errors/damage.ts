import { someCause } from './error-causes.js'
import { primaryResultCode } from './sqlite-result-code.js'

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** PostgreSQL's `data_corrupted` and `index_corrupted`. */
const SQL_STATES: ReadonlySet<unknown> = new Set(['XX001', 'XX002'])

/** A database's files are not as they were written. The message names the file and the damage. */
export class DamagedDatabaseError extends Error {
  constructor(file: string, finding: string) {
    super(`${file} is damaged: ${finding}`)
    this.name = 'DamagedDatabaseError'
  }
}

/**
 * True if an error reports damage to a database's files. Repeating a statement doesn't help then.
 */
export function isDamage(error: unknown): boolean {
  return someCause(error, indicatesDamage)
}

function indicatesDamage(error: Error & { code?: unknown }): boolean {
  if (error instanceof DamagedDatabaseError) return true
  if (error.code !== 'ERR_SQLITE_ERROR') return SQL_STATES.has(error.code)
  const code = primaryResultCode(error)
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

/** Watches the statements of a database for reports of damage. */
export class DamageWatch {
  readonly #controller = new AbortController()

  /** Aborted with the first report. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Call it with every failure. */
  readonly failed = (error: unknown): void => {
    if (!this.signal.aborted && isDamage(error)) this.#controller.abort(error)
  }

  /** Watches the given work. */
  async over<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.failed(error)
      throw error
    }
  }
}

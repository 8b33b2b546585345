/**
 * The differences between the engines, by name. Everything else is one SQL statement for both: row locks (`forUpdate`,
 * `skipLocked`) are left out on SQLite, which has one writer at a time.
 */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  /** Whether several processes may work on the database at once. */
  readonly sharedByProcesses: boolean
}

export const SQLITE: Dialect = { engine: 'sqlite', sharedByProcesses: false }
export const POSTGRES: Dialect = { engine: 'postgres', sharedByProcesses: true }

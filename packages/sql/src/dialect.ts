/** The differences between the engines, by name. Everything else is one SQL statement for both. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  /** Rows read for an update must be locked (`FOR UPDATE`); SQLite has one writer at a time instead. */
  readonly locksRows: boolean
  /** Whether several processes may work on the database at once. */
  readonly sharedByProcesses: boolean
}

export const SQLITE: Dialect = { engine: 'sqlite', locksRows: false, sharedByProcesses: false }
export const POSTGRES: Dialect = { engine: 'postgres', locksRows: true, sharedByProcesses: true }

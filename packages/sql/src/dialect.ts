/**
 * The differences between the engines, by name. Everything else is one SQL statement for both: row locks (`forUpdate`,
 * `skipLocked`) are left out on SQLite, which has one writer at a time.
 */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  /** Whether several processes may work on the database at once. */
  readonly sharedByProcesses: boolean
  /** A statement that writes to the disk, and leaves everything as it was, without needing more room each time. */
  readonly emptyWrite: string
  /** A statement whose parameter is a name: a unit of work waits for those that named the same before. */
  readonly takeTurn: string
}

export const SQLITE: Dialect = {
  engine: 'sqlite',
  sharedByProcesses: false,
  // A number in the file's header that is free for applications, and that we do not use. Even the same one is written.
  emptyWrite: 'pragma user_version = 0',
  // Units of work run one after the other.
  takeTurn: 'select ?',
}
export const POSTGRES: Dialect = {
  engine: 'postgres',
  sharedByProcesses: true,
  // One row, in every schema of ours, that nobody else touches: on PostgreSQL migrations lock by other means.
  emptyWrite: 'update kysely_migration_lock set is_locked = is_locked',
  // No row is locked, so that none need be there. It ends with the transaction.
  takeTurn: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
}

/**
 * The differences between the engines, by name. Everything else is one SQL statement for both: row locks (`forUpdate`,
 * `skipLocked`) are left out on SQLite, which has one writer at a time.
 */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  /** Whether several processes may work on the database at once. */
  readonly sharedByProcesses: boolean
  /** A unit of work that fails where nothing can be written, and leaves everything as it was, without taking more room each time. */
  readonly writeProbe: readonly string[]
  /** A statement whose parameter is a name: a unit of work waits for those that named the same before. */
  readonly takeTurn: string
}

export const SQLITE: Dialect = {
  engine: 'sqlite',
  sharedByProcesses: false,
  // A number in the file's header that is free for applications, and that we do not use. Even the same one is written.
  writeProbe: ['pragma user_version = 0'],
  // Units of work run one after the other.
  takeTurn: 'select ?',
}
export const POSTGRES: Dialect = {
  engine: 'postgres',
  sharedByProcesses: true,
  writeProbe: [
    // One row, in every schema of ours, that nobody else touches: on PostgreSQL migrations lock by other means. No process
    // waits for another's probe, which a machine that froze would hold open.
    `update kysely_migration_lock set is_locked = is_locked
      where id in (select id from kysely_migration_lock for update skip locked)`,
    // The row fits where it was, also on a full disk, where new rows do not: the server is to need room for more than its
    // memory, in a file beside its tables that is gone at once.
    "set local work_mem = '64kB'",
    "set local temp_tablespaces = ''",
    'select count(*) from generate_series(1, 10000)',
  ],
  // No row is locked, so that none need be there. It ends with the transaction.
  takeTurn: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
}

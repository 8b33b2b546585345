export {
  Connection,
  type Statement,
  type StatementResult,
  type StatementResults,
  namedLock,
  prepare,
} from './database/connection.js'
export { type Condition, prepareCondition, prepareGuarded } from './database/guarded-query.js'
export { DamagedDatabaseError, isDamage } from './errors/damage.js'
export * from './database/database.js'
export { unitDatabase } from './database/unit-database.js'
export type { Dialect } from './database/dialect.js'
export {
  BrokenLockFileError,
  type FileLock,
  FileLockedError,
  fileLockHolder,
  holdFileLock,
} from './files/file-lock.js'
export { isFileThere, makeFolder } from './files/folder.js'
export { type DatabaseInspection, inspectDatabase } from './inspect-database.js'
export {
  ForeignDatabaseError,
  NewerDatabaseError,
  OlderReleaseError,
  OutdatedDatabaseError,
} from './database/migrate.js'
export { columnsOf, valuesOf } from './database/row-values.js'
export type { TableNames } from './database/renamed-tables.js'
export { openDatabase } from './open-database.js'
export { postgresServers } from './postgres/postgres-hosts.js'
export { oncePerTurn } from './database/once-per-turn.js'
export { migrationOn, readMigrations } from './database/read-migrations.js'
export { copySqliteFile } from './sqlite/sqlite-copy.js'
export { checkSqlitePages } from './sqlite/sqlite-damage.js'
export { isUnavailable } from './errors/unavailability.js'

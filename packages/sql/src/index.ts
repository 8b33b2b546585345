export {
  Connection,
  type Statement,
  type StatementResult,
  type StatementResults,
} from './connection.js'
export { DamagedDatabaseError, isDamage } from './damage.js'
export * from './database.js'
export type { Dialect } from './dialect.js'
export {
  BrokenLockFileError,
  type FileLock,
  FileLockedError,
  fileLockHolder,
  holdFileLock,
} from './file-lock.js'
export { isFileThere, makeFolder } from './folder.js'
export { type DatabaseInspection, inspectDatabase } from './inspect-database.js'
export { ForeignDatabaseError, NewerDatabaseError, OutdatedDatabaseError } from './migrate.js'
export { openDatabase } from './open-database.js'
export { namedLock, prepare } from './prepared-query.js'
export { probeWriting } from './probe-writing.js'
export { readMigrations } from './read-migrations.js'
export { copySqliteFile } from './sqlite-copy.js'
export { checkSqlitePages } from './sqlite-damage.js'
export { isUnavailable } from './unavailability.js'

export { DamagedDatabaseError, isDamage } from './damage.js'
export * from './database.js'
export * from './dialect.js'
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
export { type PreparedQuery, type Step, prepare } from './prepared-query.js'
export { probeWriting } from './probe-writing.js'
export { readMigrations } from './read-migrations.js'
export { copySqliteFile } from './sqlite-copy.js'
export { checkSqlitePages } from './sqlite-damage.js'
export { oncePerTurn } from './once-per-turn.js'
export { takeTurn } from './turn.js'
export { isUnavailable } from './unavailability.js'

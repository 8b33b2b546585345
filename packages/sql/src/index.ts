export * from './database.js'
export * from './dialect.js'
export { openDatabase } from './open-database.js'
export { copySqliteFile } from './sqlite-copy.js'

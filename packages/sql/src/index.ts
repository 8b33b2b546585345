export * from './database.js'
export * from './dialect.js'
export { type DatabaseInspection, inspectDatabase } from './inspect-database.js'
export { openDatabase } from './open-database.js'

import type { Database, DatabaseOptions } from './database/database.js'
import { openPostgresDatabase } from './postgres/postgres-database.js'
import { openSqliteDatabase } from './sqlite/sqlite-database.js'

/** Opens the database that the URL names and brings its tables up to date. */
export function openDatabase<Tables>(options: DatabaseOptions): Promise<Database<Tables>> {
  const { url } = options
  if (url.startsWith('sqlite:')) return openSqliteDatabase(url.slice('sqlite:'.length), options)
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgresDatabase(options)
  return Promise.reject(new Error('a database URL starts with sqlite: or postgres://'))
}

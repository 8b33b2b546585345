import path from 'node:path'

const SQLITE = 'sqlite:'

/** The address of an SQLite file. */
export function sqliteUrl(file: string): string {
  return `${SQLITE}${file}`
}

/** The absolute path of a database that is an SQLite file; undefined on a server. */
export function sqliteFileOf(url: string): string | undefined {
  return url.startsWith(SQLITE) ? path.resolve(url.slice(SQLITE.length)) : undefined
}

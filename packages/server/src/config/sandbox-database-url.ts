import path from 'node:path'
import { sqliteFileOf, sqliteUrl } from './sqlite-file.js'

/** The sandbox's own database: another file beside production's; on PostgreSQL another schema of the same database. */
export function sandboxDatabaseUrl(url: string): string {
  return besides(url, 'sandbox')
}

/** Where the sandbox's bank keeps what is no business of a gateway: its clock. */
export function bankDatabaseUrl(url: string): string {
  return besides(url, 'bank')
}

function besides(url: string, suffix: string): string {
  const file = sqliteFileOf(url)
  if (file === undefined) return url
  const { dir, name, ext } = path.parse(file)
  return sqliteUrl(path.join(dir, `${name}-${suffix}${ext}`))
}

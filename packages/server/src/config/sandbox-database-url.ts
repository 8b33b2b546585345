import path from 'node:path'

/** The sandbox's own database: another file beside production's; on PostgreSQL another schema of the same database. */
export function sandboxDatabaseUrl(url: string): string {
  if (!url.startsWith('sqlite:')) return url
  const { dir, name, ext } = path.parse(url.slice('sqlite:'.length))
  return `sqlite:${path.join(dir, `${name}-sandbox${ext}`)}`
}

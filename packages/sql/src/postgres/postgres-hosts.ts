/** One server of those that a URL names. */
export interface PostgresHost {
  /** Host and port as in the URL: safe to show. */
  readonly name: string
  /** May hold a password: not safe to show. */
  readonly url: string
}

/** The option by which libpq, and so pg_dump, selects a server. */
const SESSION_ATTRIBUTES = 'target_session_attrs'
const WRITABLE: readonly string[] = ['read-write', 'primary']

/** The servers of a PostgreSQL URL; we write to the primary. */
export interface PostgresServers {
  readonly hosts: readonly PostgresHost[]
  /** True if a server that takes no writes is skipped. */
  readonly findsPrimary: boolean
}

/**
 * Reads the servers of a URL. Several are written as libpq does:
 * `postgres://user:password@a:5432,b:5432/database`.
 * @throws RangeError that describes the mistake and quotes nothing of the URL
 */
export function postgresServers(url: string): PostgresServers {
  const authorityAt = url.indexOf('//') + 2
  const pathAt = authorityAt + lengthUpTo(url.slice(authorityAt), ['/', '?', '#'])
  const hostsAt = Math.max(url.lastIndexOf('@', pathAt) + 1, authorityAt)
  const hosts = url
    .slice(hostsAt, pathAt)
    .split(',')
    .map((name) => ({ name, url: `${url.slice(0, hostsAt)}${name}${url.slice(pathAt)}` }))
  // For a single host, the driver also reads forms that aren't standard URLs.
  if (hosts.length > 1 && !hosts.every(isWhole))
    throw new RangeError('of several hosts each is a name or an address, with :port if it has one')
  const options = new URLSearchParams(url.slice(pathAt).split('?')[1])
  if ([options.get('host'), options.get('port')].some((value) => value?.includes(',')))
    throw new RangeError('several hosts stand before the name of the database: a:5432,b:5432')
  return { hosts, findsPrimary: wantsPrimary(options) || hosts.length > 1 }
}

function lengthUpTo(text: string, ends: readonly string[]): number {
  return Math.min(...ends.map((end) => text.indexOf(end)).filter((at) => at >= 0), text.length)
}

function isWhole({ name, url }: PostgresHost): boolean {
  return name !== '' && URL.canParse(url)
}

function wantsPrimary(options: URLSearchParams): boolean {
  const attributes = options.get(SESSION_ATTRIBUTES) ?? 'any'
  if (attributes !== 'any' && !WRITABLE.includes(attributes))
    throw new RangeError(`${SESSION_ATTRIBUTES} is ${WRITABLE.join(' or ')}: Cofre writes`)
  return attributes !== 'any'
}

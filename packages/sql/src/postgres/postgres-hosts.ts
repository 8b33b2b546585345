/** One server of those that a URL names. */
export interface PostgresHost {
  /** Host and port, as the URL has them: for showing. */
  readonly name: string
  /** It may hold a password: not for showing. */
  readonly url: string
}

/** What libpq, and so pg_dump, wants of a server before it takes it. */
const SESSION_ATTRIBUTES = 'target_session_attrs'
const WRITABLE: readonly string[] = ['read-write', 'primary']

/** The servers of a URL of PostgreSQL, of which we write to the one that is the primary. */
export interface PostgresServers {
  readonly hosts: readonly PostgresHost[]
  /** Whether a server that takes no writes is to be passed over. */
  readonly findsPrimary: boolean
}

/**
 * Reads the servers of a URL, several of which it names as libpq takes them:
 * `postgres://user:password@a:5432,b:5432/database`.
 * @throws RangeError that says what is wrong, and nothing that the URL holds
 */
export function postgresServers(url: string): PostgresServers {
  const authorityAt = url.indexOf('//') + 2
  const pathAt = authorityAt + lengthUpTo(url.slice(authorityAt), ['/', '?', '#'])
  const hostsAt = Math.max(url.lastIndexOf('@', pathAt) + 1, authorityAt)
  const hosts = url
    .slice(hostsAt, pathAt)
    .split(',')
    .map((name) => ({ name, url: `${url.slice(0, hostsAt)}${name}${url.slice(pathAt)}` }))
  // The driver reads URLs of one host in forms that are none by the standard.
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

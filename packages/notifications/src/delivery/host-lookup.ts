import { Resolver, lookup } from 'node:dns/promises'
import { SECOND_MS } from '@cofre/contracts'
import { LOOPBACK_ADDRESSES, isLocalhost } from './notification-target.js'

/**
 * The numeric addresses of a host name; empty, or a rejection, if it has none. An aborted look-up
 * may never end: the caller stops waiting.
 */
export type HostLookup = (host: string, signal: AbortSignal) => Promise<readonly string[]>

export interface HostLookupOptions {
  /**
   * True if a name unknown to the name servers is looked up by the system: in its hosts file and
   * search domains. Only private networks have such names.
   */
  readonly knowsPrivateNames: boolean
  /** Name servers as `address` or `address:port`; default: the system's. */
  readonly nameServers?: readonly string[]
  /** Default: `getaddrinfo`. */
  readonly systemLookup?: (host: string) => Promise<readonly string[]>
}

/** Two tries, the second twice as long: they leave time for the delivery. */
const NAME_SERVER_LIMITS = { timeout: 1.5 * SECOND_MS, tries: 2 }
const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA']
/** The process has four threads for these look-ups and for files. */
const SYSTEM_LOOKUPS_AT_ONCE = 2

/**
 * Looks hosts up by asking the name servers, any number at once. The system's own look-ups share a
 * few threads: names with silent servers would block all others.
 */
export function createHostLookup({
  knowsPrivateNames,
  nameServers,
  systemLookup = lookupBySystem,
}: HostLookupOptions): HostLookup {
  const system = knowsPrivateNames ? fewAtOnce(systemLookup) : undefined
  return async (host, signal) => {
    if (isLocalhost(host)) return LOOPBACK_ADDRESSES
    const addresses = await askNameServers(host, signal, nameServers)
    if (addresses.length > 0 || system === undefined) return addresses
    return await system(host, signal)
  }
}

/** Empty if there is no such name. @throws Error when no name server answered */
async function askNameServers(
  host: string,
  signal: AbortSignal,
  nameServers: readonly string[] | undefined,
): Promise<readonly string[]> {
  const resolver = new Resolver(NAME_SERVER_LIMITS)
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = (): void => {
    resolver.cancel()
  }
  signal.addEventListener('abort', cancel)
  try {
    const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = results.flatMap((result) =>
      result.status === 'fulfilled' ? result.value : [],
    )
    if (addresses.length > 0) return addresses
    for (const result of results) {
      if (result.status === 'rejected' && !isNoSuchName(result.reason)) throw result.reason
    }
    return []
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function isNoSuchName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_SUCH_NAME.includes(String(error.code))
}

async function lookupBySystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** Shares look-ups of one host, and queues others: the system's cannot be cancelled. */
function fewAtOnce(find: (host: string) => Promise<readonly string[]>): HostLookup {
  const underWay = new Map<string, Promise<readonly string[]>>()
  const ended = async (): Promise<void> => {
    await Promise.race([...underWay.values()].map((search) => search.catch(() => undefined)))
  }
  return async (host, signal) => {
    for (;;) {
      const known = underWay.get(host)
      if (known !== undefined) return await known
      if (underWay.size < SYSTEM_LOOKUPS_AT_ONCE) break
      await ended()
      signal.throwIfAborted()
    }
    const search = find(host).finally(() => underWay.delete(host))
    underWay.set(host, search)
    return await search
  }
}

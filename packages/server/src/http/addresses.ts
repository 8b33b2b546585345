import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Log } from '@cofre/contracts'
import type { Endpoint } from '../config/config.js'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

type AddressReader = (request: Request, bindings: object) => string

/**
 * Determines a request's sender: the other end of its connection, or, if that is our proxy, the
 * address that the proxies forward. Ignores `X-Forwarded-For` from strangers.
 */
export function createClientAddress(trustedProxies: BlockList, log: Log): AddressReader {
  const senderOf = createSenderReader(trustedProxies, log)
  return (request, bindings) => senderOf(request, bindings).address
}

/**
 * Determines the address of a request for permissions. If only a proxy's is known, the client is
 * unknown: that address is marked, so that it is in no network.
 */
export function createPermittedAddress(trustedProxies: BlockList, log: Log): AddressReader {
  const senderOf = createSenderReader(trustedProxies, log)
  return (request, bindings) => {
    const { address, isProxy } = senderOf(request, bindings)
    return isProxy ? `${address} (proxy)` : address
  }
}

function createSenderReader(trustedProxies: BlockList, log: Log) {
  let hasWarned = false
  const warnOnce = (peer: string): void => {
    if (hasWarned) return
    hasWarned = true
    log.warn(
      { peer },
      'requests come through a proxy that COFRE_TRUSTED_PROXIES does not name: they all count as one address',
    )
  }
  return (request: Request, bindings: object) => {
    let address = peerOf(bindings)
    const forwarded = request.headers.get('X-Forwarded-For')?.split(',') ?? []
    const isFromStranger = forwarded.length > 0 && !isIn(trustedProxies, address)
    if (isFromStranger) warnOnce(address)
    // Each proxy appends the address that it received from.
    while (forwarded.length > 0 && isIn(trustedProxies, address)) {
      const before = plainAddress(forwardedAddress(forwarded.pop() ?? ''))
      if (isIP(before) === 0) break
      address = before
    }
    return { address, isProxy: isFromStranger || isIn(trustedProxies, address) }
  }
}

/** True if a request comes directly from our proxy. */
export function isFromProxy(trustedProxies: BlockList, bindings: object): boolean {
  return isIn(trustedProxies, peerOf(bindings))
}

export function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family > 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function peerOf(bindings: object): string {
  const { incoming } = bindings as { incoming?: IncomingMessage }
  return plainAddress(incoming?.socket.remoteAddress ?? '')
}

/** Some proxies append the port: `203.0.113.9:51234`, `[2001:db8::1]:443`. */
function forwardedAddress(entry: string): string {
  const text = entry.trim()
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']'))
  const [host = '', ...rest] = text.split(':')
  return rest.length === 1 ? host : text
}

/** IPv4 that arrives on an IPv6 socket is IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/**
 * The origins of an endpoint: its public one, and the local ones. They come only from the
 * configuration, because requests can't be trusted on this.
 */
export function originsOf({ host, port, publicUrl }: Endpoint): readonly string[] {
  const name = host.includes(':') ? `[${host}]` : host
  const local = [name, '127.0.0.1', '[::1]', 'localhost'].map((each) => `http://${each}:${port}`)
  return [...new Set([publicUrl, ...local].map((url) => new URL(url).origin))]
}

/**
 * True if a request's Host may be ours. A port on loopback serves programs of this machine, and a
 * proxy on it. A stranger's page may lead a browser here, by a name that briefly resolves to this
 * machine (DNS rebinding). Such a request names the stranger's host.
 * @param address - Bound address of the port. Other addresses accept any Host, because proxies use
 *   their own names.
 * @param publicUrl - Public address of the port; empty if unknown.
 */
export function createHostCheck(address: string, publicUrl: string): (host: string) => boolean {
  if (!isIn(LOOPBACK, address)) return () => true
  const publicHost = publicUrl === '' ? undefined : new URL(publicUrl).hostname
  return (host) => {
    // Without the port, and without the final dot of an absolute name.
    const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
    return (
      name === publicHost ||
      name === 'localhost' ||
      name.endsWith('.localhost') ||
      isIn(LOOPBACK, name.replace(/^\[(.*)\]$/, '$1'))
    )
  }
}

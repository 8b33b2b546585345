import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Log } from '@cofre/contracts'
import type { Endpoint } from '../config/config.js'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * Reads who sent a request: the other end of its connection, or, when that is a proxy of ours, whom
 * the proxies say they had it from. What a stranger writes into `X-Forwarded-For` counts for
 * nothing.
 */
export function createClientAddress(
  trustedProxies: BlockList,
  log: Log,
): (request: Request, bindings: object) => string {
  let hasWarned = false
  const warnOnce = (peer: string): void => {
    if (hasWarned) return
    hasWarned = true
    log.warn(
      { peer },
      'requests come through a proxy that COFRE_TRUSTED_PROXIES does not name: they all count as one address',
    )
  }
  return (request, bindings) => {
    let address = peerOf(bindings)
    const forwarded = request.headers.get('X-Forwarded-For')?.split(',') ?? []
    if (forwarded.length > 0 && !isIn(trustedProxies, address)) warnOnce(address)
    // Each proxy adds the address it saw at the end.
    while (forwarded.length > 0 && isIn(trustedProxies, address)) {
      const before = plainAddress(forwarded.pop()?.trim() ?? '')
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }
}

/** Whether a request comes straight from a proxy of ours. */
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

/** IPv4 that arrives on an IPv6 socket is IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/**
 * The origins of an endpoint: its public one, and those at which programs of this machine reach it.
 * From the configuration alone: a request says nothing of where it is.
 */
export function originsOf({ host, port, publicUrl }: Endpoint): readonly string[] {
  const name = host.includes(':') ? `[${host}]` : host
  const local = [name, '127.0.0.1', '[::1]', 'localhost'].map((each) => `http://${each}:${port}`)
  return [...new Set([publicUrl, ...local].map((url) => new URL(url).origin))]
}

/**
 * Whether a request may be meant for us, by its Host. A port on loopback is for programs of this
 * machine, and for a proxy on it. A browser here may be led to it by the page of a stranger, whose
 * name resolves to this machine for a moment (DNS rebinding): such a request names the stranger's
 * host.
 * @param address - That the port is bound to. Elsewhere any Host is accepted: proxies stand before
 * it, under names of their own.
 * @param publicUrl - At which others reach the port; empty when none is known.
 */
export function createHostCheck(address: string, publicUrl: string): (host: string) => boolean {
  if (!isIn(LOOPBACK, address)) return () => true
  const publicHost = publicUrl === '' ? undefined : new URL(publicUrl).hostname
  return (host) => {
    // Without a port, and without the dot that ends an absolute name.
    const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
    return (
      name === publicHost ||
      name === 'localhost' ||
      name.endsWith('.localhost') ||
      isIn(LOOPBACK, name.replace(/^\[(.*)\]$/, '$1'))
    )
  }
}

import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import type { Log } from '@cofre/contracts'

/**
 * Reads who sent a request: the other end of its connection, or, when that is a proxy of ours, whom the proxies say they
 * had it from. What a stranger writes into `X-Forwarded-For` counts for nothing.
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
  const isTrusted = (address: string): boolean => isIn(trustedProxies, address)
  return (request, bindings) => {
    let address = plainAddress(peerOf(bindings))
    const forwarded = request.headers.get('X-Forwarded-For')?.split(',') ?? []
    if (forwarded.length > 0 && !isTrusted(address)) warnOnce(address)
    // Each proxy adds the address it saw at the end.
    while (forwarded.length > 0 && isTrusted(address)) {
      const before = plainAddress(forwarded.pop()?.trim() ?? '')
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }
}

/** Whether a request comes straight from a proxy of ours. */
export function isFromProxy(trustedProxies: BlockList, bindings: object): boolean {
  return isIn(trustedProxies, plainAddress(peerOf(bindings)))
}

function isIn(list: BlockList, address: string): boolean {
  return isIP(address) > 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function peerOf(bindings: object): string {
  const { incoming } = bindings as { incoming?: IncomingMessage }
  return incoming?.socket.remoteAddress ?? ''
}

/** IPv4 that arrives on an IPv6 socket is IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

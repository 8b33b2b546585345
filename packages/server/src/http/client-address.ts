import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'

/**
 * Reads who sent a request: the other end of its connection, or, when that is a proxy of ours, whom the proxies say they
 * had it from. What a stranger writes into `X-Forwarded-For` counts for nothing.
 */
export function createClientAddress(
  trustedProxies: BlockList,
): (request: Request, bindings: object) => string {
  const isTrusted = (address: string): boolean =>
    trustedProxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (request, bindings) => {
    let address = plainAddress(peerOf(bindings))
    const forwarded = request.headers.get('X-Forwarded-For')?.split(',') ?? []
    // Each proxy adds the address it saw at the end.
    while (isIP(address) > 0 && isTrusted(address)) {
      const before = plainAddress(forwarded.pop()?.trim() ?? '')
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }
}

function peerOf(bindings: object): string {
  const { incoming } = bindings as { incoming?: IncomingMessage }
  return incoming?.socket.remoteAddress ?? ''
}

/** IPv4 that arrives on an IPv6 socket is IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

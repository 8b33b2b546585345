import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a request may be meant for us, by its Host. */
export type HostCheck = (host: string) => boolean

/**
 * A port on loopback is for programs of this machine, and for a proxy on it. A browser here may be led to it by the page of a
 * stranger, whose name resolves to this machine for a moment (DNS rebinding): such a request names the stranger's host.
 * @param address - That the port is bound to. Elsewhere any Host is accepted: proxies stand before it, under names of their own.
 * @param publicUrl - At which others reach the port; empty when none is known.
 */
export function createHostCheck(address: string, publicUrl: string): HostCheck {
  if (!isLoopback(address)) return () => true
  const publicHost = publicUrl === '' ? undefined : new URL(publicUrl).hostname
  return (host) => {
    const name = nameIn(host)
    return (
      name === publicHost ||
      name === 'localhost' ||
      name.endsWith('.localhost') ||
      isLoopback(name.replace(/^\[(.*)\]$/, '$1'))
    )
  }
}

function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Without a port, and without the dot that ends an absolute name. */
function nameIn(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

import { BlockList, isIP } from 'node:net'

/** Addresses and ports that notifications may reach besides the public internet's 80 and 443. */
export interface TargetAllowance {
  readonly network: BlockList
  readonly port: number | 'any'
}

const PUBLIC_PORTS = [80, 443]

// One list a family, since a BlockList also compares addresses across families.
const IPV4_NOT_PUBLIC = networks([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and Alibaba's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a public number, but Azure's metadata
  '169.254.0.0/16', // link-local, and most clouds' metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, and Oracle's metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
])
/** Everything else is local, reserved, multicast, or IPv4 in disguise: mapped, compatible or NAT64. */
const IPV6_GLOBAL_UNICAST = networks(['2000::/3'])
const IPV6_NOT_PUBLIC = networks([
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds an IPv4 address
  '3fff::/20', // documentation
])

/**
 * Whether a notification may be sent to an address: public unicast on port 80 or 443, by the special-purpose registries
 * of IANA (RFC 6890), or what an allowance names. An IPv4 address mapped into IPv6 is never public, but an allowance
 * for the IPv4 network covers it.
 * @param address - Numeric, without brackets; anything else is refused, and so is an IPv6 zone.
 */
export function mayReach(
  address: string,
  port: number,
  allowances: readonly TargetAllowance[],
): boolean {
  const family = addressFamily(address)
  if (family === undefined) return false
  if (isPublicPort(port) && isPublic(address, family)) return true
  return allowances.some(
    (allowance) =>
      (allowance.port === 'any' || allowance.port === port) &&
      allowance.network.check(address, family),
  )
}

/** Whether a notification may go to a port of a host that is not known yet. */
export function isPublicPort(port: number): boolean {
  return PUBLIC_PORTS.includes(port)
}

type AddressFamily = 'ipv4' | 'ipv6'

function addressFamily(address: string): AddressFamily | undefined {
  const family = address.includes('%') ? 0 : isIP(address)
  return family === 0 ? undefined : family === 4 ? 'ipv4' : 'ipv6'
}

function isPublic(address: string, family: AddressFamily): boolean {
  return family === 'ipv4'
    ? !IPV4_NOT_PUBLIC.check(address, family)
    : IPV6_GLOBAL_UNICAST.check(address, family) && !IPV6_NOT_PUBLIC.check(address, family)
}

function networks(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

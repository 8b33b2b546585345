import { BlockList, isIP } from 'node:net'

/** Addresses and ports that notifications may reach, besides the public internet's 80 and 443. */
export interface TargetAllowance {
  readonly network: BlockList
  readonly port: number | 'any'
  /** A name for the network's only address, regardless of name servers. */
  readonly named?: { readonly host: string; readonly address: string }
}

const PUBLIC_PORTS = [80, 443]
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
export const LOOPBACK_ADDRESSES: readonly string[] = ['127.0.0.1', '::1']

// One list per family, since a BlockList also compares addresses across families.
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
/** All other addresses are local, reserved, multicast, or IPv4: mapped, compatible or NAT64. */
const IPV6_GLOBAL_UNICAST = networks(['2000::/3'])
const IPV6_NOT_PUBLIC = networks([
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds an IPv4 address
  '3fff::/20', // documentation
])

/**
 * Parses `COFRE_NOTIFY_ALLOW`: `127.0.0.0/8:*, 10.1.0.0/16:8080, [fd00::/8]:443`.
 * @throws RangeError naming the entry that cannot be read.
 */
export function parseTargetAllowances(text: string): TargetAllowance[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseAllowance)
}

function parseAllowance(entry: string): TargetAllowance {
  const match = /^\[?(?<address>[0-9a-fA-F.:]+)\/(?<prefix>\d{1,3})\]?:(?<port>\*|\d{1,5})$/.exec(
    entry,
  )
  const { address = '', prefix = '', port = '' } = match?.groups ?? {}
  const family = isIP(address)
  const isPort = port === '*' || (Number(port) > 0 && Number(port) < 65_536)
  if (family === 0 || !isPort || Number(prefix) > (family === 4 ? 32 : 128)) {
    throw new RangeError(`not a network and port, like 10.0.0.0/8:8080 or 127.0.0.0/8:*: ${entry}`)
  }
  const network = new BlockList()
  network.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
  return { network, port: port === '*' ? 'any' : Number(port) }
}

/** Allows a whole machine: its address and, if the host is a name, the name, on every port. */
export function hostAllowance(host: string, address: string): TargetAllowance {
  const family = addressFamily(address)
  const network = new BlockList()
  if (family !== undefined) network.addAddress(address, family)
  const { host: name = host } = endpointOf(`http://${host}`) ?? {}
  return {
    network,
    port: 'any',
    ...(isIP(name) === 0 && !isLocalhost(name) && { named: { host: name, address } }),
  }
}

/** The address that an allowance defines for a name. */
export function knownAddress(
  host: string,
  allowances: readonly TargetAllowance[],
): string | undefined {
  return allowances.find(({ named }) => named?.host === host)?.named?.address
}

/** The target of a URL: an IP literal without brackets, or a name without its root dot. */
export interface TargetEndpoint {
  readonly host: string
  readonly port: number
}

/** Undefined for any URL but http and https. */
export function endpointOf(urlText: string): TargetEndpoint | undefined {
  const url = URL.parse(urlText)
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? '']
  if (url === null || defaultPort === undefined) return undefined
  // The URL parser has already converted 0x7f.1, 2130706433 and the like to dotted numbers.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return { host, port: url.port === '' ? defaultPort : Number(url.port) }
}

/**
 * True if a notification URL may be saved (specification, section 2.1): a host name on port 80 or
 * 443, a name in an allowance, or an address that notifications may reach. The addresses of other
 * names may change, so they are checked at every connection.
 */
export function acceptsTarget(urlText: string, allowances: readonly TargetAllowance[]): boolean {
  const endpoint = endpointOf(urlText)
  if (endpoint === undefined || namesUser(urlText)) return false
  const { host, port } = endpoint
  if (isIP(host) !== 0) return mayReach(host, port, allowances)
  if (isLocalhost(host))
    return LOOPBACK_ADDRESSES.some((address) => mayReach(address, port, allowances))
  const known = knownAddress(host, allowances)
  if (known !== undefined && mayReach(known, port, allowances)) return true
  return !host.split('.').includes('') && PUBLIC_PORTS.includes(port)
}

/**
 * The sender would omit the name and password, and the shop's refusal would have no visible cause.
 */
function namesUser(urlText: string): boolean {
  const { username, password } = new URL(urlText)
  return username !== '' || password !== ''
}

/** Names of this machine, regardless of name servers (RFC 6761). @param host - In lower case. */
export function isLocalhost(host: string): boolean {
  return /(^|\.)localhost$/.test(host)
}

/**
 * True if a notification may be sent to an address: public unicast on port 80 or 443, by the
 * special-purpose registries of IANA (RFC 6890), or an allowed one. An IPv4 address mapped into
 * IPv6 is never public, but an allowance for the IPv4 network covers it.
 * @param address - Numeric, without brackets; any other text is refused, and so is an IPv6 zone.
 */
export function mayReach(
  address: string,
  port: number,
  allowances: readonly TargetAllowance[],
): boolean {
  const family = addressFamily(address)
  if (family === undefined) return false
  if (PUBLIC_PORTS.includes(port) && isPublic(address, family)) return true
  return allowances.some(
    (allowance) =>
      (allowance.port === 'any' || allowance.port === port) &&
      allowance.network.check(address, family),
  )
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

import { BlockList, isIP } from 'node:net'
import { isLocalhost } from './host-lookup.js'
import {
  type TargetAllowance,
  isPublicPort,
  mayReach,
} from '../model/notification/target-address.js'

export type { TargetAllowance } from '../model/notification/target-address.js'

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1']

/**
 * Reads `COFRE_NOTIFY_ALLOW`: `127.0.0.0/8:*, 10.1.0.0/16:8080, [fd00::/8]:443`.
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

/** Where a URL leads: an IP literal without brackets, or a name without its root dot. */
export interface TargetEndpoint {
  readonly host: string
  readonly port: number
}

/** Undefined for anything but an http or https URL. */
export function endpointOf(urlText: string): TargetEndpoint | undefined {
  const url = URL.parse(urlText)
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? '']
  if (url === null || defaultPort === undefined) return undefined
  // The parser has already turned 0x7f.1, 2130706433 and the like into dotted numbers.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return { host, port: url.port === '' ? defaultPort : Number(url.port) }
}

/**
 * Whether a notification URL may be saved (specification, section 2.1): a host name on port 80 or 443, or an address that notifications may
 * reach. What a name resolves to is judged at every connection, since it may change.
 */
export function acceptsTarget(urlText: string, allowances: readonly TargetAllowance[]): boolean {
  const endpoint = endpointOf(urlText)
  if (endpoint === undefined || namesUser(urlText)) return false
  const { host, port } = endpoint
  if (isIP(host) !== 0) return mayReach(host, port, allowances)
  if (isLocalhost(host)) {
    return LOOPBACK_ADDRESSES.some((address) => mayReach(address, port, allowances))
  }
  return !host.split('.').includes('') && isPublicPort(port)
}

/** The sender would leave the name and password out, and nobody would see why the shop refuses it. */
function namesUser(urlText: string): boolean {
  const { username, password } = new URL(urlText)
  return username !== '' || password !== ''
}

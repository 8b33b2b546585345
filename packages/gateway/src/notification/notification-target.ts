import { BlockList, isIP } from 'node:net'

/** Addresses and ports that notifications may reach besides the public internet's 80 and 443. */
export interface TargetAllowance {
  readonly network: BlockList
  readonly port: number | 'any'
}

const PUBLIC_PORTS = [80, 443]
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

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

/** Whether a notification URL may be saved: port 80 or 443, or an allowed network and port (spec 2.1). */
export function acceptsTarget(urlText: string, allowances: readonly TargetAllowance[]): boolean {
  const url = new URL(urlText)
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port)
  if (port === undefined) return false
  if (PUBLIC_PORTS.includes(port)) return true
  const host = url.hostname === 'localhost' ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  return (
    family !== 0 &&
    allowances.some(
      (allowance) =>
        (allowance.port === 'any' || allowance.port === port) &&
        allowance.network.check(host, family === 4 ? 'ipv4' : 'ipv6'),
    )
  )
}

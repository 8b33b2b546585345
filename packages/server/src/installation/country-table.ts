// Countries of internet addresses, from the operator's file of lines `network,country`.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { ConfigError } from '../config/errors.js'

/** The country of an IPv4 or IPv6 address, ISO 3166 alpha-2; undefined if the file has none. */
export type CountryLookup = (address: string) => string | undefined

interface Network {
  readonly first: bigint
  readonly last: bigint
  readonly country: string
}

const IPV6_BITS = 128
const IPV4_BITS = 32
const GROUP_BITS = 16n
const GROUPS = 8
/** ::ffff:0:0/96, the range of IPv4 in IPv6. */
const IPV4_MAPPED = 0xffffn << 32n
const LINE =
  /^"?(?<network>[\da-f.:]+)(?:\/(?<length>\d{1,3}))?"?\s*[,;]\s*"?(?<country>[a-z]{2})"?\s*(?:[,;].*)?$/i

/** Reads the whole file. @throws ConfigError that names the line */
export function readCountries(file: string): CountryLookup {
  return lookupIn(sorted(linesOf(file).flatMap((line, at) => networkIn(line, at, file) ?? [])))
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n|\r/)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw refused(file, `the file cannot be read (${why})`)
  }
}

function refused(file: string, why: string): ConfigError {
  return new ConfigError('COFRE_COUNTRIES', file, why)
}

/** Undefined for a line without a network: blank, a comment, or the column names. */
function networkIn(line: string, at: number, file: string): Network | undefined {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return undefined
  const { network = '', length, country = '' } = LINE.exec(text)?.groups ?? {}
  const address = numberOf(network)
  const bits = isIP(network) === 4 ? IPV4_BITS : IPV6_BITS
  const prefix = Number(length ?? bits)
  if (address !== undefined && prefix <= bits) {
    const size = 1n << BigInt(bits - prefix)
    const first = address - (address % size)
    return { first, last: first + size - 1n, country: country.toUpperCase() }
  }
  if (at === 0) return undefined
  throw refused(file, `line ${at + 1} has to be a network and its country, like 203.0.113.0/24,BR`)
}

/** An address as an IPv6 number. */
function numberOf(address: string): bigint | undefined {
  const version = isIP(address)
  if (version === 0) return undefined
  const dotted = address.slice(address.lastIndexOf(':') + 1)
  const ipv4 = dotted.includes('.')
    ? dotted.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n)
    : undefined
  if (version === 4) return IPV4_MAPPED + (ipv4 ?? 0n)
  const groups =
    ipv4 === undefined
      ? address
      : `${address.slice(0, -dotted.length)}${(ipv4 >> GROUP_BITS).toString(16)}:${(ipv4 & 0xffffn).toString(16)}`
  const [before = [], after = []] = groups
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':')))
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].reduce(
    (sum, group) => (sum << GROUP_BITS) + BigInt(`0x${group}`),
    0n,
  )
}

/** Sorts each network before those within it. */
function sorted(networks: readonly Network[]): readonly Network[] {
  const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)
  return networks.toSorted(
    (one, other) => compare(one.first, other.first) || compare(other.last, one.last),
  )
}

/** The smallest network that contains an address decides. */
function lookupIn(networks: readonly Network[]): CountryLookup {
  const around = new Int32Array(networks.length)
  networks.forEach(({ first }, at) => {
    let outer = at - 1
    while (outer >= 0 && (networks[outer]?.last ?? 0n) < first) outer = around[outer] ?? -1
    around[at] = outer
  })
  return (text) => {
    const address = numberOf(text)
    if (address === undefined) return undefined
    let low = 0
    let high = networks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((networks[middle]?.first ?? 0n) <= address) low = middle + 1
      else high = middle
    }
    let at = low - 1
    while (at >= 0 && (networks[at]?.last ?? 0n) < address) at = around[at] ?? -1
    return networks[at]?.country
  }
}

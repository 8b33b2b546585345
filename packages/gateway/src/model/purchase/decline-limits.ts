import { type Environment, HOUR_MS } from '@cofre/contracts'
import type { MerchantSettings } from '../merchant/merchant.js'

// Attackers who try stolen cards are declined often: by one payer, from one address, or with cards
// of one kind.

/** The subjects by which declines are counted. */
export type DeclineLimit = 'payer' | 'address' | 'bin'

/** The limits of declines of a store's shoppers in the last hour; undefined: no limit. */
export type DeclineLimits = Readonly<Record<DeclineLimit, number | undefined>>

/** The limits of a store without a setting. A large store's cards share BINs: it sets more. */
export const USUAL_DECLINE_LIMITS: Readonly<Record<DeclineLimit, number>> = {
  payer: 10,
  address: 30,
  bin: 100,
}

/** Declines after this time count. */
export function declinesSinceMs(nowMs: number): number {
  return nowMs - HOUR_MS
}

/**
 * The limits of a store. In the sandbox only the store's own settings count, because developers
 * decline cards all day.
 */
export function declineLimitsOf(
  {
    payerDeclines,
    addressDeclines,
    binDeclines,
  }: Pick<MerchantSettings, 'payerDeclines' | 'addressDeclines' | 'binDeclines'>,
  environment: Environment,
): DeclineLimits {
  const usual = environment === 'production' ? USUAL_DECLINE_LIMITS : undefined
  const limit = (set: number | undefined, otherwise: number | undefined) =>
    // A store sets 0 for no limit.
    set === undefined ? otherwise : set || undefined
  return {
    payer: limit(payerDeclines, usual?.payer),
    address: limit(addressDeclines, usual?.address),
    bin: limit(binDeclines, usual?.bin),
  }
}

/** Groups of 16 bits of an IPv6 address that one home or server has. */
const NETWORK_GROUPS = 4
const ADDRESS_GROUPS = 8
const IPV4_IN_IPV6 = /^::ffff:(?=[\d.]+$)/i

/** The counted part of an address: an IPv4 address, or the network of an IPv6 address (/64). */
export function countedAddress(ip: string): string {
  const address = ip.replace(IPV4_IN_IPV6, '')
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(ADDRESS_GROUPS - before.length - after.length, 0)
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}

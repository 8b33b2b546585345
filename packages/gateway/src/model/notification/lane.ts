/**
 * A store's host and a kind of notifications. What is refused in a lane holds back nothing but
 * repetitions there.
 */
export type Lane = string

interface Addressed {
  readonly merchantId: string
  readonly url: string
  /** Undefined for a change of the transaction's status. */
  readonly refundId: number | undefined
}

/** Of a store; the others share one lane of each kind. */
export const HOSTS_MAX = 20
const OTHERS = '*'
/** Beyond which all is forgotten: lanes that have a notification keep their names. */
const STORES_MAX = 10_000

const hostsOfStores = new Map<string, Set<string>>()

/**
 * The lane of a new notification, which ends in its kind. Each process names the first hosts of a
 * store that it meets.
 */
export function laneOf({ merchantId, refundId, url }: Addressed): Lane {
  const kind = refundId === undefined ? 'status' : 'refund'
  return `${merchantId} ${hostNamed(merchantId, hostOf(url))} ${kind}`
}

/** The letters of a kind, and the space before them. */
export const KIND_LENGTH: number = ' status'.length

/** A lane without its kind: what two lanes have in common that go to one host of a store. */
export function hostOfLane(lane: Lane): string {
  return lane.slice(0, -KIND_LENGTH)
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : OTHERS
}

function hostNamed(merchantId: string, host: string): string {
  const hosts = hostsOfStores.get(merchantId) ?? new Set()
  if (hosts.has(host)) return host
  if (hosts.size >= HOSTS_MAX) return OTHERS
  if (hostsOfStores.size >= STORES_MAX) hostsOfStores.clear()
  hostsOfStores.set(merchantId, hosts.add(host))
  return host
}

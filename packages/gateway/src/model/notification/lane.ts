/**
 * A store's host and a kind of notifications. A failure in a lane delays only the repetitions
 * there.
 */
export type Lane = string

interface Addressed {
  readonly merchantId: string
  readonly url: string
  /** Undefined for a change of the transaction's status. */
  readonly refundId: number | undefined
}

/** Hosts of a store with their own lanes; the others share one lane of each kind. */
export const HOSTS_MAX = 20
const OTHERS = '*'
/** Beyond this, all names are forgotten: lanes that have a notification keep theirs. */
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

/** The length of a kind, with the space before it. */
export const KIND_LENGTH: number = ' status'.length

/** A lane without its kind, which is the same for all lanes to one host of a store. */
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

/**
 * How many notifications of a store may be under way at once, so that nobody waits for stores that
 * hang.
 */
export type StoreShares = ReturnType<typeof createStoreShares>

/** The largest sum of notifications that a worker should have under way. */
export const DELIVERIES_AT_ONCE = 192

const FIRST = 16
const SILENT = 2
/** Beside its share, for hosts that wait while another one takes all of it. */
const SPARE = 4
const ALL_SILENT = 96
/**
 * By how much all shares together may grow. With what those that do not acknowledge may have, it
 * leaves a sixth of the deliveries to everybody else.
 */
const GROWTH = 64

/**
 * The shares that one process gives. A store's grows by one with each notification that it
 * acknowledges and is halved by each that it does not. When all have grown as far as they may, the
 * largest gives what another gains: so they come to be as the rates at which the stores
 * acknowledge.
 */
export function createStoreShares() {
  const grown = new Map<string, number>()
  const set = (merchantId: string, growth: number): void => {
    if (growth > 0) grown.set(merchantId, growth)
    else grown.delete(merchantId)
  }
  return {
    /** Of a store that acknowledged the last notification it was sent. */
    of: (merchantId: string) => FIRST + (grown.get(merchantId) ?? 0),
    /** No store's share is larger. */
    largest: FIRST + GROWTH,
    /** Of a store that did not, or was never sent any. */
    silent: SILENT,
    /** Of all of those together. */
    allSilent: ALL_SILENT,
    /** What a store has beside its share, which one of its hosts may take alone. */
    spare: SPARE,

    acknowledged(merchantId: string): void {
      const sum = [...grown.values()].reduce((all, growth) => all + growth, 0)
      const own = grown.get(merchantId) ?? 0
      if (sum === GROWTH) {
        const [largest] = [...grown].filter(([id]) => id !== merchantId).toSorted(byGrowth)
        if (largest === undefined) return
        set(largest[0], largest[1] - 1)
      }
      set(merchantId, own + 1)
    },

    refused(merchantId: string): void {
      set(merchantId, Math.floor((grown.get(merchantId) ?? 0) / 2))
    },
  }
}

function byGrowth([, one]: [string, number], [, other]: [string, number]): number {
  return other - one
}

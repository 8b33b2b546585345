/**
 * Limits the concurrent notifications of each store, so that hanging stores delay no other store.
 */
export type StoreShares = ReturnType<typeof createStoreShares>

/** The maximum of concurrent notifications in one worker. */
export const DELIVERIES_AT_ONCE = 192

const FIRST = 16
const SILENT = 2
/** Places beside the share, for a store's other hosts while one takes all of the share. */
const SPARE = 4
const ALL_SILENT = 96
/**
 * The maximum growth of all shares together. With the places of stores that do not acknowledge, it
 * leaves a sixth of the deliveries to all others.
 */
const GROWTH = 64

/**
 * The shares of one process. A store's share grows by one with each acknowledged notification, and
 * its growth is halved by each refused one. At the maximum, the largest other share shrinks as one
 * grows, so shares approach the stores' rates of acknowledgement.
 */
export function createStoreShares() {
  const grown = new Map<string, number>()
  const set = (merchantId: string, growth: number): void => {
    if (growth > 0) grown.set(merchantId, growth)
    else grown.delete(merchantId)
  }
  return {
    /** The share of a store that acknowledged its latest notification. */
    of: (merchantId: string) => FIRST + (grown.get(merchantId) ?? 0),
    /** The maximum share of a store. */
    largest: FIRST + GROWTH,
    /** The share of a store that did not, or was never sent any. */
    silent: SILENT,
    /** The share of all such stores together. */
    allSilent: ALL_SILENT,
    /** A store's places beside its share, which one of its hosts may take alone. */
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

import { type RawBuilder, sql } from 'kysely'

/** The work under way, by lane: an account, a store. A query for due rows skips busy lanes. */
export interface Lanes {
  /** The lanes that are full. A lane with nothing under way is never among them. */
  busy(): readonly string[]
  /** Runs work in a lane, or in none: then nothing else waits for it. */
  run<T>(lane: string | undefined, work: () => Promise<T>): Promise<T>
}

/** True if a row's lane isn't busy; null is no lane. */
export function isElsewhere(
  lane: RawBuilder<unknown>,
  busy: readonly string[],
): RawBuilder<boolean> {
  if (busy.length === 0) return sql`${sql.lit(1)} = ${sql.lit(1)}`
  return sql`(${lane} is null or ${lane} not in (${sql.join(busy)}))`
}

/** The part of the free places: however many lanes of a provider hang, other lanes get some. */
const SHARE_OF_LANE = 1 / 4

/**
 * Lanes for rounds that run in parallel: a slow provider blocks only its own lanes. Each lane may
 * hold one item, and more while it has less than its share of the free places.
 * @param places - In all lanes. A lane that is alone gets a fifth of them.
 */
export function createLanes(places = 1): Lanes {
  const underWay = new Map<string, number>()
  let taken = 0
  const count = (lane: string, change: number): void => {
    taken += change
    const left = (underWay.get(lane) ?? 0) + change
    if (left === 0) underWay.delete(lane)
    else underWay.set(lane, left)
  }
  return {
    busy() {
      const busyFrom = (places - taken) * SHARE_OF_LANE
      return [...underWay].flatMap(([lane, many]) => (many < busyFrom ? [] : [lane]))
    },
    async run(lane, work) {
      if (lane === undefined) return await work()
      count(lane, 1)
      try {
        return await work()
      } finally {
        count(lane, -1)
      }
    },
  }
}

import { type RawBuilder, sql } from 'kysely'

/** What is under way by lane: an account, a store. A list leaves out the lanes that are busy. */
export interface Lanes {
  /** Lanes in which as much is under way as they may hold; none in which nothing is. */
  busy(): readonly string[]
  /** Does something in a lane, or in none: then nothing else waits for it. */
  run<T>(lane: string | undefined, work: () => Promise<T>): Promise<T>
}

/** Whether the lane of a row is none of the busy ones; null is no lane. */
export function isElsewhere(
  lane: RawBuilder<unknown>,
  busy: readonly string[],
): RawBuilder<boolean> {
  if (busy.length === 0) return sql`${sql.lit(1)} = ${sql.lit(1)}`
  return sql`(${lane} is null or ${lane} not in (${sql.join(busy)}))`
}

/** Of the free places: however many lanes of a provider hang, those of others find some. */
const SHARE_OF_LANE = 1 / 4

/**
 * For work whose rounds run beside each other: a slow provider holds up its own lanes alone. Each
 * lane may hold one, and more while it has less than its share of the places that are free.
 * @param places - In all lanes. A fifth of them is what one lane holds beside no other.
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

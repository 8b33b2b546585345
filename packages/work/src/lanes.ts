/** What is under way by lane: an account, a store. A list leaves out the lanes that are busy. */
export interface Lanes {
  /** Lanes in which something is under way. */
  busy(): readonly string[]
  /** Does something in a lane. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T>
}

/** For work whose rounds run beside each other: a slow provider holds up its own lane alone. */
export function createLanes(): Lanes {
  const underWay = new Map<string, number>()
  const count = (lane: string, change: number): void => {
    const left = (underWay.get(lane) ?? 0) + change
    if (left === 0) underWay.delete(lane)
    else underWay.set(lane, left)
  }
  return {
    busy: () => [...underWay.keys()],
    async run(lane, work) {
      count(lane, 1)
      try {
        return await work()
      } finally {
        count(lane, -1)
      }
    },
  }
}

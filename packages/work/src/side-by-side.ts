import { SECOND_MS } from '@cofre/contracts'
import type { Round } from './due-work.js'
import { pause } from './pause.js'

const SOON_MS = SECOND_MS / 4
/** Lets several items end before the next claim, so that a claim takes several. */
const GATHER_MS = 2

export interface SideBySide<Item> {
  /** Items under way. */
  readonly atOnce: number
  readonly claim: (limit: number) => Promise<readonly Item[]>
  readonly work: (item: Item) => Promise<unknown>
  readonly logFailure: (item: Item, error: unknown) => void
}

/**
 * Rounds that work on many items at once: each claims soon after an item ends, and never waits for
 * a slow one longer than a pause.
 */
export function sideBySide<Item>({
  atOnce,
  claim,
  work,
  logFailure,
}: SideBySide<Item>): (round: Round) => Promise<void> {
  const underWay = new Set<Promise<void>>()
  return async ({ beside, looked, signal }) => {
    while (!signal.aborted) {
      const places = atOnce - underWay.size
      if (places > 0) {
        for (const item of await claim(places)) {
          const done = work(item)
            .then(() => undefined)
            .catch((error: unknown) => {
              logFailure(item, error)
            })
            .finally(() => underWay.delete(done))
          underWay.add(done)
          beside(done)
        }
        looked()
      }
      if (underWay.size === 0) return
      await Promise.race([...underWay, pause(SOON_MS, signal)])
      await pause(GATHER_MS, signal)
    }
  }
}

/** A uniform integer from 0 up to, not including, its argument; always the same sequence. */
export type RandomBelow = (limit: number) => number

const STEP = 0x6d2b79f5
const RANGE = 2 ** 32

/** Draws for example data only: anyone who knows the seed knows every draw (mulberry32). */
export function seededRandom(seed: number): RandomBelow {
  let state = seed >>> 0
  return (limit) => {
    state = (state + STEP) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / RANGE) * limit)
  }
}

const PARTS = 1_000_000

/** True in this share of the cases. */
export function happens(randomBelow: RandomBelow, share: number): boolean {
  return randomBelow(PARTS) < share * PARTS
}

/** One of several items, in proportion to their weights. */
export function weighted<Item>(
  randomBelow: RandomBelow,
  items: readonly Item[],
  weightOf: (item: Item) => number,
): Item {
  const sum = items.reduce((all, item) => all + weightOf(item), 0)
  let left = (randomBelow(PARTS) / PARTS) * sum
  const chosen = items.find((item) => (left -= weightOf(item)) < 0) ?? items.at(-1)
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}

/** From the shortest to the longest, short ones more often. */
export function spread(randomBelow: RandomBelow, fromMs: number, toMs: number): number {
  const share = randomBelow(PARTS) / PARTS
  return Math.round(fromMs + (toMs - fromMs) * share ** 2)
}

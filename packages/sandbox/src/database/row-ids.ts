import type { Clock } from '@cofre/contracts'

/** Numbers within a millisecond; at this rate a number stays a safe integer until the year 2255. */
const PER_MILLISECOND = 1000

/** Draws numbers that grow with the machine's time; another process may draw the same, so a store draws again. */
export function createRowIds(machineClock: Clock): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, machineClock.now() * PER_MILLISECOND)
    return last
  }
}

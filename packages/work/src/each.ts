import { reasonOf } from './error-reason.js'
import { NOTHING_DUE } from './nothing-due.js'

/** A round has looked for work, and all items that it found failed. */
export class RoundFailedError extends Error {
  /** @param what - The part of the round that failed. */
  constructor(what: string, cause: unknown) {
    super(`${what}: ${reasonOf(cause)}`, { cause })
    this.name = 'RoundFailedError'
  }
}

export interface Each<Item> {
  readonly work: (item: Item) => Promise<unknown>
  /** The item's name in a log line. */
  readonly name: (item: Item) => string
  /** Logs a failure, unless all items failed. An error that it throws ends the round. */
  readonly logFailure: (item: Item, error: unknown) => void
}

/**
 * Works on all items of a round at once; a failed item blocks no other.
 * @returns NOTHING_DUE without items
 * @throws RoundFailedError when all failed: a dependency is down, and the work backs off
 */
export async function doEach<Item>(
  items: readonly Item[],
  each: Each<Item>,
): Promise<typeof NOTHING_DUE | undefined> {
  if (items.length === 0) return NOTHING_DUE
  const results = await Promise.allSettled(items.map(each.work))
  const failures = results.flatMap((result, i) => {
    const item = items[i]
    return result.status === 'rejected' && item !== undefined
      ? [{ item, error: result.reason as unknown }]
      : []
  })
  const [first] = failures
  if (first === undefined) return undefined
  if (failures.length === items.length)
    throw new RoundFailedError(
      `nothing of a round succeeded; ${each.name(first.item)}`,
      first.error,
    )
  for (const { item, error } of failures) each.logFailure(item, error)
  return undefined
}

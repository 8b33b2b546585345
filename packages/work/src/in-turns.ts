import { setImmediate as turn } from 'node:timers/promises'

/**
 * Items of a long list, for work on them that does not hold the event loop.
 * @param perTurn - After so many items the event loop turns.
 */
export async function* inTurns<Item>(
  items: Iterable<Item>,
  perTurn: number,
): AsyncGenerator<Item, void> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count % perTurn === 0) await turn()
  }
}

import { setImmediate as turn } from 'node:timers/promises'

/**
 * The items of a long list, for work that must not block the event loop.
 * @param perTurn - The number of items for each turn of the event loop.
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

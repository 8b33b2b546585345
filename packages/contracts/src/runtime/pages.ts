export interface ListPage<Item, Cursor = string> {
  readonly items: readonly Item[]
  /** Cursor of the next page; undefined on the last one. */
  readonly next?: Cursor | undefined
}

export interface ListQuery {
  /** `next` of the previous page. Any text that is not a cursor selects the first page. */
  readonly after?: string | undefined
  /** Maximum of items. */
  readonly limit: number
}

/**
 * A page of a list.
 * @param found - The items from the page's start: at least one more than the limit, if they exist.
 */
export function pageOf<Item>(
  found: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): ListPage<Item> {
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items, next: last === undefined ? undefined : cursorOf(last) }
}

/**
 * All items of a list, in its order, for an export. Reads each page only after the items before it
 * are consumed, so a reader that stops costs nothing more. A page may be empty and still have a
 * next one.
 * @param after - Cursor to start from; by default the first page.
 */
export async function* pages<Item, Cursor>(
  list: (after: Cursor | undefined) => Promise<ListPage<Item, Cursor>>,
  after?: Cursor,
): AsyncGenerator<Item, void> {
  let cursor = after
  do {
    const page = await list(cursor)
    yield* page.items
    cursor = page.next
  } while (cursor !== undefined)
}

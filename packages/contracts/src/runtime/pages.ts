/** Some items of a list. */
export interface ListPage<Item, Cursor = string> {
  readonly items: readonly Item[]
  /** Leads to the page after it; undefined on the last one. */
  readonly next?: Cursor | undefined
}

/** Which page of a list. */
export interface ListQuery {
  /** `next` of the page before. Any text that is not a cursor begins with the first page. */
  readonly after?: string | undefined
  /** At most so many items. */
  readonly limit: number
}

/**
 * A page of a list.
 * @param found - The items from where it begins: at least one more than the limit, if there are.
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
 * All items of a list, in its order, for an export. Reads a page when the items before it were
 * taken, so that a reader who stops costs no more; a page may be empty and lead on.
 * @param after - Where to begin; by default with the first page.
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

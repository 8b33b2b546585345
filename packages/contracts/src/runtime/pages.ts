/** Some items of a list. */
interface PageOf<Item, Cursor> {
  readonly items: readonly Item[]
  /** Leads to the page after it; undefined on the last one. */
  readonly next?: Cursor | undefined
}

/**
 * All items of a list, in its order, for an export. Reads a page when the items before it were
 * taken, so that a reader who stops costs no more; a page may be empty and lead on.
 * @param after - Where to begin; by default with the first page.
 */
export async function* pages<Item, Cursor>(
  list: (after: Cursor | undefined) => Promise<PageOf<Item, Cursor>>,
  after?: Cursor,
): AsyncGenerator<Item, void> {
  let cursor = after
  do {
    const page = await list(cursor)
    yield* page.items
    cursor = page.next
  } while (cursor !== undefined)
}

import { type ListPage, type ListQuery, pageOf } from '@cofre/contracts'

/** A page of a list in memory. Its cursor is the index of its first item. */
export function someOf<Item>(all: readonly Item[], { after, limit }: ListQuery): ListPage<Item> {
  const start = Number(after ?? 0)
  return pageOf(all.slice(start), limit, () => String(start + limit))
}

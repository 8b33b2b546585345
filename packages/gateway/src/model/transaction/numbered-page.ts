/** One page of a numbered list, as in the API. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The number of matches on all pages. */
  readonly found: number
}

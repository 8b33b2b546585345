/** One page of a list whose pages are numbered, as the API has them. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** On all pages. */
  readonly found: number
}

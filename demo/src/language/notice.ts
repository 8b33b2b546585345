/** A heading and what it means for the customer. */
export interface Notice {
  readonly title: string
  readonly text: string
}

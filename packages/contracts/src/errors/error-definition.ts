/** One entry of the error catalogue. */
export interface ErrorDefinition {
  /** The number on the wire: API, never renamed and never reused. */
  readonly code: number
  /** HTTP status of an answer whose first error this is. */
  readonly status: number
  /** The description on the wire, where it is not the entry's own name. */
  readonly key?: string
}

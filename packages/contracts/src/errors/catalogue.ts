import entries from './catalogue.json' with { type: 'json' }

/** One entry of the catalogue (specification, section 7; codes 90xxx are ours). */
export interface ErrorDefinition {
  /** The number on the wire: API, never renamed and never reused. */
  readonly code: number
  /** HTTP status of a response whose first error this is. */
  readonly status: number
  /** The description on the wire, if it is not the entry's name. */
  readonly key?: string
}

// Inferred, so that the declarations contain the names and need no JSON.
const defined = <Name extends string>(
  definitions: Readonly<Record<Name, ErrorDefinition>>,
): Readonly<Record<Name, ErrorDefinition>> => definitions

/** Every error of the service. `#` stands for the index of a charge or cart item. */
export const errorCatalogue = defined(entries)

/** Name of an error inside the product. Several names share a code that has several causes. */
export type ErrorName = keyof typeof errorCatalogue

/** Pause before a retry after `service_unavailable`: a database failover is short. */
export const UNAVAILABLE_RETRY_SECONDS = 2

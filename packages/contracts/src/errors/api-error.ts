import { z } from 'zod'
import { type ErrorName, errorCatalogue } from './catalogue.js'

/** One element of an error response (specification, section 7). */
const wireErrorSchema = z.strictObject({
  code: z.int(),
  description: z.string(),
  property: z.string().optional(),
  constraint: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  allowed: z
    .array(z.union([z.string(), z.number()]))
    .readonly()
    .optional(),
  message: z.string().optional(),
  doc_url: z.string().optional(),
})
export type WireError = Readonly<z.output<typeof wireErrorSchema>>

/** Body of every failure of every layer. */
export const errorBodySchema = z.strictObject({ errors: z.array(wireErrorSchema).min(1) })
export interface ErrorBody {
  readonly errors: readonly WireError[]
}

/** A failure of a request, before it is serialized. */
export interface Failure {
  readonly name: ErrorName
  /** Path of the wrong field in the body: `payer.document.number`, `cart[0].quantity`. */
  readonly property?: string | undefined
  /** The broken rule: `required`, `invalid`, `minimum`. */
  readonly constraint?: string | undefined
  /** Bounds of the value, of a text's characters or of a list's elements. */
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  /** All accepted values. */
  readonly allowed?: readonly (string | number)[] | undefined
  /** Index of the charge or cart element, for names that carry a `#`. */
  readonly index?: number | undefined
  /** Distinguishes causes of one error, in messages only: `expired`. */
  readonly cause?: string | undefined
  /** Values that the message names; neither card data nor personal data. */
  readonly named?: Readonly<Record<string, string | number | undefined>> | undefined
}

/** Texts of an error for people. */
export type ErrorTexts = Pick<WireError, 'message' | 'doc_url'>

/** Limit of errors in one response, even for thousands of wrong elements. */
export const FAILURES_RETURNED_MAX = 100

/** Refusal of a request. Only the routes' error handler turns it into HTTP. */
export class ApiError extends Error {
  readonly failures: readonly [Failure, ...Failure[]]

  /** @throws RangeError without a failure, because there is nothing to refuse */
  constructor(failures: ErrorName | readonly Failure[], options?: ErrorOptions) {
    const list: readonly Failure[] = typeof failures === 'string' ? [{ name: failures }] : failures
    super(list.map((failure) => failure.name).join(', '), options)
    this.name = 'ApiError'
    const [first, ...rest] = list
    if (first === undefined) throw new RangeError('a refusal has a failure')
    this.failures = [first, ...rest]
  }

  get status(): number {
    return errorCatalogue[this.failures[0].name].status
  }

  /** @param textsOf - Adds texts for people. */
  toBody(textsOf?: (failure: Failure) => ErrorTexts): ErrorBody {
    const returned = this.failures.slice(0, FAILURES_RETURNED_MAX)
    return { errors: returned.map((failure) => ({ ...wireError(failure), ...textsOf?.(failure) })) }
  }
}

function wireError(failure: Failure): WireError {
  const { property, constraint, minimum, maximum, allowed } = failure
  return {
    code: errorCatalogue[failure.name].code,
    description: descriptionOf(failure),
    ...(property !== undefined && property !== '' && { property }),
    ...(constraint !== undefined && { constraint }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(allowed !== undefined && { allowed }),
  }
}

function descriptionOf({ name, index = 0, allowed = [] }: Failure): string {
  const { key = name } = errorCatalogue[name]
  const description = key.replace('#', String(index))
  // The only key that listed its allowed values before `allowed` existed.
  if (name !== 'status_change_not_allowed') return description
  const sentence = allowed.length === 0 ? 'it is final' : `allowed are ${allowed.join(', ')}`
  return `${description}: ${sentence}`
}

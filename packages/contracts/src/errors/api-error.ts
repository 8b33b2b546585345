import { z } from 'zod'
import { type ErrorName, errorCatalogue } from './catalogue.js'

/** One element of an error answer (specification, section 7). */
const wireErrorSchema = z.strictObject({
  code: z.int().describe('A code of the catalogue; never renamed, never reused'),
  description: z.string().describe('The key text of the code'),
  property: z.string().optional().describe('Path of the wrong field: payer.document.number'),
  constraint: z.string().optional().describe('The broken rule: required, type, minimum, …'),
  minimum: z.number().optional(),
})
export type WireError = Readonly<z.output<typeof wireErrorSchema>>

/** Body of every failure of every layer. */
export const errorBodySchema = z.strictObject({ errors: z.array(wireErrorSchema).min(1) })
export interface ErrorBody {
  readonly errors: readonly WireError[]
}

/** A failure of a request, before it is put on the wire. */
export interface Failure {
  readonly name: ErrorName
  /** Path of the wrong field in the body: `payer.document.number`, `cart[0].quantity`. */
  readonly property?: string | undefined
  /** The broken rule: `required`, `invalid`, `minimum`. */
  readonly constraint?: string | undefined
  /** The bound of a `minimum` constraint. */
  readonly minimum?: number | undefined
  /** Index of the charge or cart element, for names that carry a `#`. */
  readonly index?: number | undefined
  /** What would have been accepted instead; the description names it. */
  readonly allowed?: readonly string[] | undefined
}

/** A body of thousands of wrong elements returns no more errors than these. */
const FAILURES_RETURNED_MAX = 100

/** Thrown to refuse a request; the routes' error handler alone turns it into HTTP. */
export class ApiError extends Error {
  readonly failures: readonly [Failure, ...Failure[]]

  /** @throws RangeError without a failure: there is nothing to refuse then */
  constructor(failures: ErrorName | readonly Failure[], options?: ErrorOptions) {
    const list: readonly Failure[] = typeof failures === 'string' ? [{ name: failures }] : failures
    super(list.map((failure) => failure.name).join(', '), options)
    this.name = 'ApiError'
    const [first, ...rest] = list
    if (first === undefined) throw new RangeError('a refusal has a failure')
    this.failures = [first, ...rest]
  }

  /** HTTP status: that of the first failure. */
  get status(): number {
    return errorCatalogue[this.failures[0].name].status
  }

  toBody(): ErrorBody {
    return { errors: this.failures.slice(0, FAILURES_RETURNED_MAX).map(wireError) }
  }
}

function wireError(failure: Failure): WireError {
  const { code, key = failure.name } = errorCatalogue[failure.name]
  const { property, constraint, minimum, index = 0, allowed } = failure
  const description = key.replace('#', String(index))
  return {
    code,
    description: allowed === undefined ? description : `${description}: ${sentenceOf(allowed)}`,
    ...(property !== undefined && property !== '' && { property }),
    ...(constraint !== undefined && { constraint }),
    ...(minimum !== undefined && { minimum }),
  }
}

function sentenceOf(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'it is final' : `allowed are ${allowed.join(', ')}`
}

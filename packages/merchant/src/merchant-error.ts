import type { WireError } from '@cofre/contracts'

const SERVER_ERROR_STATUS = 500
/** Descriptions are key texts; anything else in their place stays out of messages and logs. */
const KEY_TEXT = /^\w{1,128}$/

/** The service refused the request: see `errors`, empty when a proxy responded in its place. */
export class MerchantApiError extends Error {
  /** HTTP status. */
  readonly status: number
  readonly errors: readonly WireError[]

  constructor(status: number, errors: readonly WireError[]) {
    const reasons = errors.map(({ code, description }) =>
      KEY_TEXT.test(description) ? `${code} ${description}` : String(code),
    )
    super([`the service answered ${status}`, ...reasons].join(', '))
    this.name = 'MerchantApiError'
    this.status = status
    this.errors = errors
  }

  /** Whether it surely had no effect. Treat a 5xx like a {@link MerchantConnectionError}. */
  get isOutcomeKnown(): boolean {
    return this.status < SERVER_ERROR_STATUS
  }

  /** Whether one of the errors has this code. */
  hasCode(code: number): boolean {
    return this.errors.some((error) => error.code === code)
  }
}

/** Why there is no answer: it took too long, the connection broke, or what came cannot be read. */
export type ConnectionFailure = 'time-out' | 'network' | 'broken-answer'

/**
 * No answer, so the outcome is unknown: a transaction or refund may exist and a card may have been
 * charged. Never start over with a new reference. Either send the same request again with the same
 * `Idempotency-Key` (answered as the first time), or with the same reference (a 409 with code
 * 210104 means that the first one arrived), or look for the reference (`order-id`) with
 * `searchTransactions`.
 */
export class MerchantConnectionError extends Error {
  readonly reason: ConnectionFailure

  constructor(reason: ConnectionFailure, options?: ErrorOptions) {
    super(`no answer from the service (${reason}): the outcome is unknown`, options)
    this.name = 'MerchantConnectionError'
    this.reason = reason
  }
}

/** Reads the errors of a failed response of any shape; a code may be a numeric string. */
export function readErrors(body: unknown): WireError[] {
  const errors: unknown = isRecord(body) ? body.errors : undefined
  return Array.isArray(errors) ? errors.flatMap(readError) : []
}

function readError(entry: unknown): WireError[] {
  if (!isRecord(entry)) return []
  const { code: wireCode, description, property, constraint, minimum } = entry
  const code = typeof wireCode === 'string' ? Number(wireCode) : wireCode
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return []
  return [
    {
      code,
      description: typeof description === 'string' ? description : '',
      ...(typeof property === 'string' && { property }),
      ...(typeof constraint === 'string' && { constraint }),
      ...(typeof minimum === 'number' && { minimum }),
    },
  ]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

import type { WireError } from '@cofre/contracts'

const SERVER_ERROR_STATUS = 500
/** Descriptions are key texts; anything else in their place stays out of messages and logs. */
const KEY_TEXT = /^\w{1,128}$/
/** Texts of a cause may contain anything; its code is a name: `ECONNREFUSED`. */
const CAUSE_CODE = /^[A-Z][A-Z0-9_]{1,63}$/
const CAUSES_MAX = 5
const LINE = /^[^\p{Cc}]{1,500}$/u

/** One reason for a refusal. */
export type ServiceError = WireError & {
  readonly maximum?: number | undefined
  readonly allowed?: readonly (string | number)[] | undefined
  /** An explanation for people: the fault and its remedy. */
  readonly message?: string | undefined
  /** The documentation's section about the code. */
  readonly doc_url?: string | undefined
}

/** Why there is no answer: a time-out, a broken connection, or a response that cannot be read. */
export type ConnectionFailure = 'time-out' | 'network' | 'broken-answer'

/** The names sent with a creation: with both again, it is the same creation. */
export interface SentCreation {
  /** The shop's own name for the transaction or refund. */
  readonly reference: string
  readonly idempotencyKey: string
}

/** How a request failed: see {@link MerchantApiError} and {@link MerchantConnectionError}. */
export abstract class MerchantError extends Error {
  abstract readonly reason: ConnectionFailure | 'refused'
  /** HTTP status of the last response. */
  abstract readonly status: number | undefined
  /** All reasons; empty without a response, or if a proxy responded instead of the service. */
  abstract readonly errors: readonly ServiceError[]
  /** True if the request certainly had no effect; otherwise see {@link isOutcomeUnknown}. */
  abstract readonly isOutcomeKnown: boolean
  /** Only on a failed creation. */
  readonly reference: string | undefined
  readonly idempotencyKey: string | undefined

  constructor(message: string, sent: SentCreation | undefined, options?: ErrorOptions) {
    super(message, options)
    this.reference = sent?.reference
    this.idempotencyKey = sent?.idempotencyKey
  }

  /** The code of the first reason. */
  get code(): number | undefined {
    return this.errors[0]?.code
  }

  /** Path of the wrong field in the first reason: `payer.document.number`. */
  get property(): string | undefined {
    return this.errors[0]?.property
  }

  /** The documentation's section about the first reason. */
  get docUrl(): string | undefined {
    return this.errors[0]?.doc_url
  }

  /** True if one of the errors has this code. */
  hasCode(code: number): boolean {
    return this.errors.some((error) => error.code === code)
  }
}

/** The facts of a failed request beside its response. */
export interface FailureFacts extends ErrorOptions {
  readonly sent?: SentCreation | undefined
  /** An earlier attempt at this creation had no response, and this one does not resolve that. */
  readonly isAfterDoubt?: boolean
  /** The service's origin, from the client's options. */
  readonly origin?: string
}

/** The service refused the request: see `errors`. */
export class MerchantApiError extends MerchantError {
  readonly reason = 'refused'
  override readonly status: number
  readonly errors: readonly ServiceError[]
  /**
   * True if it certainly had no effect. Otherwise treat it like a {@link MerchantConnectionError}.
   */
  readonly isOutcomeKnown: boolean

  constructor(
    status: number,
    errors: readonly ServiceError[],
    { sent, isAfterDoubt = false, cause, origin }: FailureFacts = {},
  ) {
    const isOutcomeKnown = status < SERVER_ERROR_STATUS && !isAfterDoubt
    const isForeign = origin !== undefined && errors.length === 0
    const answered = isForeign
      ? `${origin} answered ${status}, and that is no answer of Cofre's API: is the address right?`
      : `the service answered ${status}`
    const answer = `${answered}${isOutcomeKnown ? '' : doubtOf(sent)}`
    super([answer, ...errors.map(sentenceOf)].reduce(joined), sent, { cause })
    this.name = 'MerchantApiError'
    this.status = status
    this.errors = errors
    this.isOutcomeKnown = isOutcomeKnown
  }
}

/**
 * No response. The outcome of a creation is unknown: a transaction or refund may exist and a card
 * may have been charged. Never start over with a new reference. Either send the same request again
 * with the same `idempotencyKey` (you get the first response), or with the same reference (a 409
 * with code 210104 means that the first one arrived), or search for it with `findByReference`.
 */
export class MerchantConnectionError extends MerchantError {
  readonly reason: ConnectionFailure
  override readonly status = undefined
  readonly errors = []
  readonly isOutcomeKnown = false

  constructor(
    reason: ConnectionFailure,
    { sent, cause, origin = 'the service' }: Omit<FailureFacts, 'isAfterDoubt'> = {},
  ) {
    const why = [reason, ...causeCodes(cause)].join(', ')
    super(`no answer from ${origin} (${why})${doubtOf(sent)}`, sent, { cause })
    this.name = 'MerchantConnectionError'
    this.reason = reason
  }
}

/**
 * True if a creation failed with an unknown outcome: it may exist, and a card may have been
 * charged. {@link MerchantConnectionError} describes what to do.
 */
export function isOutcomeUnknown(error: unknown): error is MerchantError & SentCreation {
  return error instanceof MerchantError && !error.isOutcomeKnown && error.reference !== undefined
}

/** Only a creation leaves a doubt: a lookup is simply repeated. */
function doubtOf(sent: SentCreation | undefined): string {
  return sent === undefined ? '' : ': the outcome is unknown'
}

/** The innermost code of an error that `fetch` has thrown, such as `ECONNREFUSED`. */
function causeCodes(cause: unknown): readonly string[] {
  const codes: string[] = []
  for (let error = cause, depth = 0; isRecord(error) && depth < CAUSES_MAX; depth++) {
    const { code } = error
    if (typeof code === 'string' && CAUSE_CODE.test(code)) codes.push(code)
    error = error.cause
  }
  return codes.slice(-1)
}

/** A message ends with its own full stop. */
function joined(before: string, sentence: string): string {
  return before + (before.endsWith('.') ? ' ' : ', ') + sentence
}

function sentenceOf({ code, description, message = '' }: ServiceError): string {
  const key = KEY_TEXT.test(description) ? `${code} ${description}` : String(code)
  return LINE.test(message) ? `${key}: ${message}` : key
}

/** Reads the errors of a failed response of any form; a code may be a numeric string. */
export function readErrors(body: unknown): ServiceError[] {
  const errors: unknown = isRecord(body) ? body.errors : undefined
  return Array.isArray(errors) ? errors.flatMap(readError) : []
}

const TEXTS = ['property', 'constraint', 'message', 'doc_url'] as const
const NUMBERS = ['minimum', 'maximum'] as const

function readError(entry: unknown): ServiceError[] {
  if (!isRecord(entry)) return []
  const { code: wireCode, description, allowed } = entry
  const code = typeof wireCode === 'string' ? Number(wireCode) : wireCode
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return []
  return [
    {
      code,
      description: typeof description === 'string' ? description : '',
      ...membersOf(entry, TEXTS, 'string'),
      ...membersOf(entry, NUMBERS, 'number'),
      ...(isList(allowed) && { allowed }),
    },
  ]
}

/** The members that have the expected type. */
function membersOf(
  entry: Record<string, unknown>,
  names: readonly string[],
  type: 'string' | 'number',
): object {
  const members = names.map((name) => [name, entry[name]] as const)
  return Object.fromEntries(members.filter(([, value]) => typeof value === type))
}

function isList(value: unknown): value is readonly (string | number)[] {
  return (
    Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Carried out. The value is the provider's decision: approved, declined, pending. */
export interface DoneAnswer<T> {
  readonly kind: 'done'
  readonly value: T
}

/** Nothing happened: the provider refuses the request. */
export interface RefusedAnswer {
  readonly kind: 'refused'
  /** One redacted line for an operator. */
  readonly detail: string
}

/** Nothing happened: the request was not sent, or not read. Another account may be tried. */
export type NotSentAnswer =
  | {
      readonly kind: 'not-sent'
      /** `login`: the provider refuses this client's credentials. */
      readonly cause: 'no-connection' | 'login'
      /** One redacted line for an operator. */
      readonly detail: string
    }
  | LimitedAnswer

/** Nothing happened, because of the provider's limit or our own. */
export interface LimitedAnswer {
  readonly kind: 'not-sent'
  readonly cause: 'limited'
  /** One redacted line for an operator. */
  readonly detail: string
  /** Earliest time for a further call. */
  readonly retryAfterMs: number
}

/** It may have happened. Ask for the result, or repeat the request under the same name. */
export interface UnknownAnswer {
  readonly kind: 'unknown'
  /** One redacted line for an operator. */
  readonly detail: string
  /** Earliest time for a further call. */
  readonly retryAfterMs?: number
}

/** Result of a request to a provider. */
export type Answer<T, Unknown extends UnknownAnswer = UnknownAnswer> =
  | DoneAnswer<T>
  | RefusedAnswer
  | NotSentAnswer
  /** The provider knows nothing by this name. */
  | { readonly kind: 'absent' }
  | Unknown

export function decided<T>(value: T): DoneAnswer<T> {
  return { kind: 'done', value }
}

/** Pause until a further call makes sense, if known. */
export function retryAfterMsOf(answer: Answer<unknown>): number | undefined {
  return 'retryAfterMs' in answer ? answer.retryAfterMs : undefined
}

/** True if a limit kept the request from the provider, whose health stays unknown. */
export function isLimited(answer: Answer<unknown>): answer is LimitedAnswer {
  return answer.kind === 'not-sent' && answer.cause === 'limited'
}

/** Carried out. What the provider decided is the value: approved, declined, pending. */
export interface DoneAnswer<T> {
  readonly kind: 'done'
  readonly value: T
}

/** Nothing happened: the provider does not accept the request. */
export interface RefusedAnswer {
  readonly kind: 'refused'
  /** One redacted line for an operator. */
  readonly detail: string
}

/** Nothing happened: the request was not sent, or not read. Another account may be asked. */
export type NotSentAnswer =
  | {
      readonly kind: 'not-sent'
      /** `login`: the provider does not let this client in. */
      readonly cause: 'no-connection' | 'login'
      /** One redacted line for an operator. */
      readonly detail: string
    }
  | LimitedAnswer

/** Nothing happened, because of a limit of the provider's or of ours. */
export interface LimitedAnswer {
  readonly kind: 'not-sent'
  readonly cause: 'limited'
  /** One redacted line for an operator. */
  readonly detail: string
  /** A call before that is pointless. */
  readonly retryAfterMs: number
}

/** It may have happened. Ask what became of it, or ask again under the same name. */
export interface UnknownAnswer {
  readonly kind: 'unknown'
  /** One redacted line for an operator. */
  readonly detail: string
  /** A call before that is pointless. */
  readonly retryAfterMs?: number
}

/** What became of something that a provider was asked for. */
export type Answer<T, Unknown extends UnknownAnswer = UnknownAnswer> =
  | DoneAnswer<T>
  | RefusedAnswer
  | NotSentAnswer
  /** The provider knows nothing of that name. */
  | { readonly kind: 'absent' }
  | Unknown

export function decided<T>(value: T): DoneAnswer<T> {
  return { kind: 'done', value }
}

/** For how long a further call is pointless, where that is known. */
export function retryAfterMsOf(answer: Answer<unknown>): number | undefined {
  return 'retryAfterMs' in answer ? answer.retryAfterMs : undefined
}

/** Whether a limit kept the provider from being asked: that says nothing of the provider. */
export function isLimited(answer: Answer<unknown>): answer is LimitedAnswer {
  return answer.kind === 'not-sent' && answer.cause === 'limited'
}

/** What the body of an answer was. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  /** HTML, or a body that was cut. The excerpt is redacted. */
  | { readonly kind: 'unreadable'; readonly excerpt: string }

/** Why a call was certainly not carried out: the provider has not seen it. */
export type NotSentReason =
  | 'budget_spent'
  | 'paused_by_provider'
  | 'no_connection'
  | 'connect_timeout'
  | 'server_not_trusted'
  | 'certificate_expired'
  | 'certificate_refused'
  | 'credentials_refused'
  | 'token_unavailable'
  | 'request_invalid'

/** Why nobody here knows whether a call was carried out. */
export type UnknownReason =
  | 'timeout'
  | 'connection_cut'
  | 'answer_too_large'
  | 'answer_unreadable'
  | 'server_error'
  | 'unexpected_status'

export interface NotSent {
  readonly kind: 'not_sent'
  readonly reason: NotSentReason
  /** One redacted line for an operator. */
  readonly detail: string
  /** Before that a further call is pointless. */
  readonly retryAfterMs?: number
}

/** What became of a call. The kind says whether it may have been carried out. */
export type CallOutcome =
  /** 2xx: carried out. */
  | { readonly kind: 'accepted'; readonly status: number; readonly body: AnswerBody }
  /** 4xx: the provider says that it did not do it. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly body: AnswerBody
      readonly retryAfterMs?: number
    }
  | NotSent
  /** Ask the provider what happened, or ask again under the same key. */
  | {
      readonly kind: 'unknown'
      readonly reason: UnknownReason
      readonly detail: string
      readonly status?: number
      readonly body?: AnswerBody
      readonly retryAfterMs?: number
    }

import type { DoneAnswer, NotSentAnswer, RefusedAnswer, UnknownAnswer } from '@cofre/contracts'

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

/** What the provider replied. */
export interface Reply {
  readonly status: number
  readonly body: AnswerBody
}

/** 4xx: the provider says that it did not do it. Its own rules say what that means. */
export interface RefusedCall extends RefusedAnswer, Reply {
  readonly retryAfterMs?: number
}

/** Certainly not carried out. */
export type NotSentCall = NotSentAnswer & { readonly reason: NotSentReason }

interface UnknownCall extends UnknownAnswer, Partial<Reply> {
  readonly reason: UnknownReason
}

/** What became of a call. Done is 2xx. */
export type CallAnswer = DoneAnswer<Reply> | RefusedCall | NotSentCall | UnknownCall

const LOGIN_REASONS: readonly NotSentReason[] = [
  'certificate_expired',
  'certificate_refused',
  'credentials_refused',
  'token_unavailable',
]

/** @param retryAfterMs - Given where a limit is the cause. */
export function notSent(reason: NotSentReason, detail: string, retryAfterMs?: number): NotSentCall {
  if (retryAfterMs !== undefined)
    return { kind: 'not-sent', cause: 'limited', reason, detail, retryAfterMs }
  const cause = LOGIN_REASONS.includes(reason) ? 'login' : 'no-connection'
  return { kind: 'not-sent', cause, reason, detail }
}

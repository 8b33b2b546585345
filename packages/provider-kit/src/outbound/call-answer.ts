import type { DoneAnswer, NotSentAnswer, RefusedAnswer, UnknownAnswer } from '@cofre/contracts'

export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  /** HTML, or a truncated body. The excerpt is redacted. */
  | { readonly kind: 'unreadable'; readonly excerpt: string }

/** Why a call was certainly not carried out: the provider has not received it. */
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

/** Why it is unknown if a call was carried out. */
export type UnknownReason =
  | 'timeout'
  | 'connection_cut'
  | 'answer_too_large'
  | 'answer_unreadable'
  | 'server_error'
  | 'unexpected_status'

export interface Reply {
  readonly status: number
  readonly body: AnswerBody
}

/** 4xx: the provider reports that it did nothing. Its own rules give the meaning. */
export interface RefusedCall extends RefusedAnswer, Reply {
  readonly retryAfterMs?: number
}

/** Certainly not carried out. */
export type NotSentCall = NotSentAnswer & { readonly reason: NotSentReason }

interface UnknownCall extends UnknownAnswer, Partial<Reply> {
  readonly reason: UnknownReason
}

/** The result of a call. Done is 2xx. */
export type CallAnswer = DoneAnswer<Reply> | RefusedCall | NotSentCall | UnknownCall

const LOGIN_REASONS: readonly NotSentReason[] = [
  'certificate_expired',
  'certificate_refused',
  'credentials_refused',
  'token_unavailable',
]

/** @param retryAfterMs - Set if a limit is the cause. */
export function notSent(reason: NotSentReason, detail: string, retryAfterMs?: number): NotSentCall {
  if (retryAfterMs !== undefined)
    return { kind: 'not-sent', cause: 'limited', reason, detail, retryAfterMs }
  const cause = LOGIN_REASONS.includes(reason) ? 'login' : 'no-connection'
  return { kind: 'not-sent', cause, reason, detail }
}

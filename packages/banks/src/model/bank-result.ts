import type { NotSentReason, UnknownReason } from '@cofre/outbound'

/** Why a bank has refused, in our words. */
export type RefusalReason =
  | 'request_invalid'
  | 'operation_invalid'
  | 'credentials_refused'
  | 'forbidden'
  /** What the bank holds under our name is something else. */
  | 'differs'
  /** The bank's PIX code names something else than the charge. The charge was removed. */
  | 'code_contradicts'
  | 'other'

export interface Refusal {
  readonly reason: RefusalReason
  /** The bank's own word for it, such as `CobOperacaoInvalida`. */
  readonly code?: string
  readonly status?: number
  /** One redacted line for an operator. */
  readonly detail: string
}

/** Nobody knows whether it was done: ask again under the same names. */
export interface UnknownResult {
  readonly kind: 'unknown'
  readonly reason: UnknownReason
  readonly detail: string
  readonly retryAfterMs?: number
}

/** What became of something that a bank was asked for. */
export type BankResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** The bank knows nothing of that name. */
  | { readonly kind: 'absent' }
  /** Certainly not done. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Certainly not done: the bank was not reached, or may not be asked at present. */
  | {
      readonly kind: 'not_asked'
      readonly reason: NotSentReason
      readonly detail: string
      readonly retryAfterMs?: number
    }
  | UnknownResult

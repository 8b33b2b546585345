import type { MinorUnits } from '@cofre/contracts'
import type { Cancellation, RefundNote, RefundObstacle, Refundable } from '@cofre/gateway/room'

/** A refund as somebody has confirmed it. */
export interface RefundOrder extends RefundNote {
  readonly code: string
  /** Of the confirmation: sent twice, it asks for one refund. */
  readonly formId: string
  readonly amountMinor: MinorUnits
  /** What remained to be refunded when it was confirmed. */
  readonly remainingMinor: MinorUnits
}

/**
 * `changed`: something else remains than the person has confirmed, so nothing is refunded. The
 * refund is PROCESSING once it has `begun`.
 */
export type RefundResult =
  | 'begun'
  | 'changed'
  | 'not-found'
  | { readonly refusedFor: RefundObstacle }

export type CancelResult = Cancellation | 'not-found'

/** What may be done with a payment. */
export interface PossibleActs {
  readonly refund: Refundable & { readonly mayBePartial: boolean }
  readonly mayCancel: boolean
  /** Undefined once its payer's data is erased. */
  readonly isPayerBlocked: boolean | undefined
}

/** Keeps payers from buying in one store. */
export interface BlocksPayers {
  readonly block: (storeId: string, code: string, actor: string) => Promise<'blocked' | 'not-found'>
  readonly unblock: (storeId: string, code: string) => Promise<'unblocked' | 'not-found'>
}

/** What the staff of a store does with its payments. What is refused is an answer, no error. */
export interface PaymentActs extends BlocksPayers {
  /** Undefined when the store has no such payment. */
  readonly possible: (storeId: string, code: string) => Promise<PossibleActs | undefined>
  /** Asks for a refund as the store's API would, so its limits and rights are the same. */
  readonly refund: (storeId: string, order: RefundOrder) => Promise<RefundResult>
  /** Ends a payment that waits for its payer; a charge at a bank is removed there first. */
  readonly cancel: (storeId: string, code: string) => Promise<CancelResult>
}

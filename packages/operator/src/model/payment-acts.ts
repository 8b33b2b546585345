import type { MinorUnits } from '@cofre/contracts'
import type {
  Cancellation,
  EndResult,
  RefundNote,
  RefundObstacle,
  Refundable,
} from '@cofre/gateway/room'
import type { EndOrder } from './waiting-captures.js'

/** A refund that a person has confirmed. */
export interface RefundOrder extends RefundNote {
  readonly code: string
  /** The id of the confirmation's form: a form that is sent twice requests one refund. */
  readonly formId: string
  readonly amountMinor: MinorUnits
  /** The refundable remainder at the confirmation. */
  readonly remainingMinor: MinorUnits
}

/**
 * `changed`: the remainder differs from the confirmed one, so nothing is refunded. The refund is
 * PROCESSING once it has `begun`.
 */
export type RefundResult =
  | 'begun'
  | 'changed'
  | 'not-found'
  | { readonly refusedFor: RefundObstacle }

export type CancelResult = Cancellation | 'not-found'

/** A capture that the store has requested. */
export interface RequestedCapture {
  /** The part of the amount; undefined for all of it. */
  readonly amountMinor: MinorUnits | undefined
  /** `store`, or the person who requested it. */
  readonly orderedBy: string
}

export type EndedResult = EndResult | { readonly kind: 'not-found' }

/** Ends payments that are authorized. */
export interface EndsAuthorized {
  /** Captures a payment once, whole or in part. */
  readonly capture: (storeId: string, code: string, asked: RequestedCapture) => Promise<EndedResult>
  /** Releases a payment, unless a capture came first. */
  readonly voidAuthorized: (
    storeId: string,
    code: string,
    orderedBy: string,
  ) => Promise<EndedResult>
}

/** The possible actions on a payment. */
export interface PossibleActs {
  readonly refund: Refundable & { readonly mayBePartial: boolean }
  readonly mayCancel: boolean
  /** The order of an authorized payment that its acquirer hasn't confirmed yet. */
  readonly ordered: EndOrder | undefined
  /** Undefined once its payer's data is erased. */
  readonly isPayerBlocked: boolean | undefined
}

/** Blocks payers from buying in one store. */
export interface BlocksPayers {
  readonly block: (storeId: string, code: string, actor: string) => Promise<'blocked' | 'not-found'>
  readonly unblock: (storeId: string, code: string) => Promise<'unblocked' | 'not-found'>
}

/** The staff's actions on a store's payments. A refusal is a result, not an error. */
export interface PaymentActs extends BlocksPayers, EndsAuthorized {
  /** Undefined if the store has no such payment. */
  readonly possible: (storeId: string, code: string) => Promise<PossibleActs | undefined>
  /** Requests a refund like the store's API, with the same limits and rights. */
  readonly refund: (storeId: string, order: RefundOrder) => Promise<RefundResult>
  /** Ends a payment that waits for its payer; a charge at a bank is removed there first. */
  readonly cancel: (storeId: string, code: string) => Promise<CancelResult>
}

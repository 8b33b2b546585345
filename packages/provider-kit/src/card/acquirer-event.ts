import type { Decline, MinorUnits } from '@cofre/contracts'

/** A change that an acquirer reports on its own. */
export type AcquirerChange =
  | 'approved'
  | 'declined'
  | 'captured'
  /** A requested capture was not made: the payment stays authorized. */
  | 'capture_refused'
  /** The only change that revokes an approved payment. */
  | 'capture_failed'
  | 'refunded'
  /** Also for a refund that was reported as done. Its amount is free again. */
  | 'refund_failed'
  | 'cancelled'
  /**
   * For a cancel that was requested by our key and names a payment: cancel that payment by its
   * name.
   */
  | 'cancel_failed'
  | 'expired'
  /** No money has moved: the issuer inquires or warns, or a dispute continues. */
  | 'dispute_announced'
  | 'charged_back'
  | 'chargeback_reversed'

/** One authenticated change. */
export interface AcquirerEvent {
  /** Unique at its account: apply it once, however often and in whatever order it arrives. */
  readonly id: string
  readonly change: AcquirerChange
  /** Our reference: of the payment, its capture or a refund. */
  readonly reference: string
  /** The acquirer's id of the payment; undefined if it found none to change. */
  readonly paymentId: string | undefined
  /** The acquirer's id of the capture, refund, cancel or dispute. */
  readonly returnId: string | undefined
  readonly amountMinor: MinorUnits
  readonly atMs: number
  /** One redacted line for an operator. */
  readonly detail: string | undefined
  /** The reason of a `declined` change, if stated. */
  readonly decline?: Decline | undefined
}

import type { Decline, MinorUnits } from '@cofre/contracts'

/** What an acquirer reports by itself. */
export type AcquirerChange =
  | 'approved'
  | 'declined'
  | 'captured'
  /** The one that takes an approved payment back. */
  | 'capture_failed'
  | 'refunded'
  /** Also a refund that had been reported as done. Its amount is free again. */
  | 'refund_failed'
  | 'cancelled'
  /** One that was asked for by our key and names a payment: cancel that by its name. */
  | 'cancel_failed'
  | 'expired'
  /** Money has not moved: the issuer asks, warns, or a dispute goes on. */
  | 'dispute_announced'
  | 'charged_back'
  | 'chargeback_reversed'

/** One change that an acquirer vouches for. */
export interface AcquirerEvent {
  /** Unique at its account: to be applied once, however often and in which order it comes. */
  readonly id: string
  readonly change: AcquirerChange
  /** Our reference that the acquirer names: of the payment, or of the refund. */
  readonly reference: string
  /** The acquirer's name for the payment; undefined where it found none to change. */
  readonly paymentId: string | undefined
  /** The acquirer's name for the refund, cancel or dispute. */
  readonly returnId: string | undefined
  readonly amountMinor: MinorUnits
  readonly atMs: number
  /** One redacted line for an operator. */
  readonly detail: string | undefined
  /** Why, of a `declined` one that says it. */
  readonly decline?: Decline | undefined
}

import type { MinorUnits } from '@cofre/contracts'
import type { AcquirerEvent } from './acquirer-event.js'

/** Messages at an account's notice address, from any sender. */
export interface AcquirerNotices {
  read(body: unknown): NoticeReading
  /** Compares an event with the stored payment. */
  fit(event: AcquirerEvent, held: HeldPayment): EventFit
}

export type NoticeReading =
  /** Not in this provider's format: not stored. */
  | { readonly kind: 'none' }
  /** Unsigned: each payment must be looked up at the acquirer. */
  | { readonly kind: 'hints'; readonly paymentIds: readonly string[] }
  /** Signed. */
  | {
      readonly kind: 'events'
      readonly events: readonly AcquirerEvent[]
      /** Number of items with the right format and a wrong signature. */
      readonly refused: number
      /** Number of items with a wrong format, which a repetition would not change. */
      readonly damaged: number
      readonly elsewhere: readonly ElsewhereItem[]
    }

/** An item of another account at the acquirer. */
export interface ElsewhereItem {
  /** The acquirer's id of that account, with any characters. */
  readonly account: string
  /** True if the reading account has the key of the signature. */
  readonly isSigned: boolean
  /** A notice with this item alone, for that account to read. */
  readonly notice: unknown
}

/** The stored facts of a payment, its captures and refunds. */
export interface HeldPayment {
  readonly reference: string
  /** Undefined if its answer has not arrived. */
  readonly paymentId: string | undefined
  readonly chargedMinor: MinorUnits
  /** Also those that were not requested here. Absent for a payment that is captured at once. */
  readonly captures?: readonly HeldCapture[] | undefined
  readonly refunds: readonly HeldRefund[]
}

export interface HeldCapture {
  readonly reference: string
  readonly captureId: string | undefined
  readonly amountMinor: MinorUnits
}

export interface HeldRefund {
  readonly reference: string
  readonly returnId: string | undefined
  readonly amountMinor: MinorUnits
}

export type EventFit =
  | { readonly kind: 'payment' }
  /** The event is about the capture with that reference, of a payment that is captured later. */
  | { readonly kind: 'capture'; readonly reference: string }
  /** A capture that was not requested here. */
  | { readonly kind: 'foreign_capture' }
  /** The event is about the refund with that reference. */
  | { readonly kind: 'refund'; readonly reference: string }
  /** A refund that was not requested here. */
  | { readonly kind: 'foreign_refund' }
  /** The payment, amount or refund differs from ours: the event changes nothing. */
  | { readonly kind: 'contradiction' }

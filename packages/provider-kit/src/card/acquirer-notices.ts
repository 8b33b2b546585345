import type { MinorUnits } from '@cofre/contracts'
import type { AcquirerEvent } from './acquirer-event.js'

/** What arrives at an account's notice address: anybody may have sent it. */
export interface AcquirerNotices {
  read(body: unknown): NoticeReading
  /** Whether an event agrees with what is held of its payment. */
  fit(event: AcquirerEvent, held: HeldPayment): EventFit
}

export type NoticeReading =
  /** Not of this provider's form: kept nowhere. */
  | { readonly kind: 'none' }
  /** Unsigned: each payment is to be found at the acquirer. */
  | { readonly kind: 'hints'; readonly paymentIds: readonly string[] }
  /** Signed. */
  | {
      readonly kind: 'events'
      readonly events: readonly AcquirerEvent[]
      /** How many items have the right form and a wrong signature. */
      readonly refused: number
      /** How many items have another form: the same however often they come. */
      readonly damaged: number
      readonly elsewhere: readonly ElsewhereItem[]
    }

/** An item of another account at the acquirer. */
export interface ElsewhereItem {
  /** The acquirer's name of that account, of any letters. */
  readonly account: string
  /** Whether a key of the account that reads has signed it. */
  readonly isSigned: boolean
  /** A notice with it alone, for that account to read. */
  readonly notice: unknown
}

/** What is known of a payment and its refunds. */
export interface HeldPayment {
  readonly reference: string
  /** Undefined when its answer has not arrived. */
  readonly paymentId: string | undefined
  readonly chargedMinor: MinorUnits
  readonly refunds: readonly HeldRefund[]
}

export interface HeldRefund {
  readonly reference: string
  readonly returnId: string | undefined
  readonly amountMinor: MinorUnits
}

export type EventFit =
  | { readonly kind: 'payment' }
  /** About the refund of that reference. */
  | { readonly kind: 'refund'; readonly reference: string }
  /** Money went back that nobody here has asked for. */
  | { readonly kind: 'foreign_refund' }
  /** Another payment, amount or refund than ours: it changes nothing. */
  | { readonly kind: 'contradiction' }

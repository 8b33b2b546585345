import type { BackwardStep } from '@cofre/contracts'
import type { Statement } from '@cofre/sql'
import type { Refund } from '../../model/refund/refund.js'
import type { Transaction } from '../../model/transaction/transaction.js'

/** A change that a store hears of. */
export type PaymentNews =
  | {
      readonly kind: 'moved'
      /** As it is after the move. */
      readonly transaction: Transaction
      readonly by?: BackwardStep | undefined
      /** When the store is to hear of it. */
      readonly dueAtMs: number
      /** True if the same commit moves the transaction, and only if it is open and may go there. */
      readonly isIfOpen: boolean
    }
  | {
      readonly kind: 'authorized'
      /** With its capture. */
      readonly transaction: Transaction
      readonly dueAtMs: number
      /** True if the same commit settles the transaction, and only if it is open. */
      readonly isIfOpen: boolean
    }
  | {
      /** The rule of the store will act soon. */
      readonly kind: 'capture-due'
      readonly transaction: Transaction
      readonly dueAtMs: number
    }
  | {
      readonly kind: 'refund-ended'
      /** As it is after its end. */
      readonly refund: Refund
      readonly dueAtMs: number
    }

/** A change of a payment. */
export interface PaymentChange {
  readonly code: number
  /** True if a subscriber that reads new payments, and notifications of others, finds it too. */
  readonly isFoundAnyway: boolean
  /** Absent if no store hears of the change. */
  readonly news?: PaymentNews
}

/**
 * The statements that leave a row for one subscriber in the commit of a change. The subscriber
 * reads the payment later, even after a long outage, and deletes the row. There are none if it
 * finds the change anyway. A subscriber that an upgrade adds begins with a scan of all payments. No
 * subscriber reads changes by a growing number: a commit with a lower one may come later.
 */
export type PaymentSubscriber = (change: PaymentChange) => readonly Statement[]

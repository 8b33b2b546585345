import type { Statement } from '@cofre/sql'

/** A change of a payment. */
export interface PaymentChange {
  readonly code: number
  /** True if a subscriber that reads new payments, and notifications of others, finds it too. */
  readonly isFoundAnyway: boolean
}

/**
 * The statements that leave a row for one subscriber in the commit of a change. The subscriber
 * reads the payment later, even after a long outage, and deletes the row. There are none if it
 * finds the change anyway. A subscriber that an upgrade adds begins with a scan of all payments. No
 * subscriber reads changes by a growing number: a commit with a lower one may come later.
 */
export type PaymentSubscriber = (change: PaymentChange) => readonly Statement[]

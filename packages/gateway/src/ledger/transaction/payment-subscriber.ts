import type { Statement } from '@cofre/sql'

/** Something of a payment was changed. */
export interface PaymentChange {
  readonly code: number
  /** A subscriber that reads new payments and the notifications of others finds it too. */
  readonly isFoundAnyway: boolean
}

/**
 * The statements that leave a row for one subscriber in the commit of a change: it reads the
 * payment later, however long it was down, and deletes the row. None where it finds the change
 * anyway. One that an upgrade adds begins with a scan of all payments. No subscriber reads changes
 * by a number that grows: a commit with a lower one may come later.
 */
export type PaymentSubscriber = (change: PaymentChange) => readonly Statement[]

// The core's interface for a room that lists payments.
import type { Refund } from '../refund/refund.js'
import type { Transaction } from '../transaction/transaction.js'
import type { ListParts } from './payment-part.js'

/** Data that lists show beside a payment. */
export interface ListedBeside extends ListParts {
  /** Oldest first. */
  readonly refunds: readonly Refund[]
}

/** Names that a person may use for one order. */
export interface OrderNames {
  readonly reference?: string | undefined
  readonly code?: number | undefined
}

export interface PaymentListing {
  /** Data that lists show beside these payments, queried once for all of them. */
  beside(payments: readonly Transaction[]): Promise<(payment: Transaction) => ListedBeside>
  /**
   * True if the store has a permanent order with one of these names; an undecided one is decided
   * first.
   * @throws ApiError service_unavailable while that is unknown
   */
  isPermanentByName(storeId: string, names: OrderNames): Promise<boolean>
}

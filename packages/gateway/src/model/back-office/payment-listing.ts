// What a room that lists payments asks the core.
import type { Refund } from '../refund/refund.js'
import type { Transaction } from '../transaction/transaction.js'
import type { ListParts } from './payment-part.js'

/** What lists show of a payment beside it. */
export interface ListedBeside extends ListParts {
  /** Oldest first. */
  readonly refunds: readonly Refund[]
}

/** What a person may name one order by. */
export interface OrderNames {
  readonly reference?: string | undefined
  readonly code?: number | undefined
}

export interface PaymentListing {
  /** What lists show beside these payments; asked once for all of them. */
  beside(payments: readonly Transaction[]): Promise<(payment: Transaction) => ListedBeside>
  /**
   * Whether an order of the store of one of these names stands, decided first where it is not.
   * @throws ApiError service_unavailable while that is not known
   */
  standsByName(storeId: string, names: OrderNames): Promise<boolean>
}

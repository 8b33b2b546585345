import type { InstallmentBody, SearchElement } from '@cofre/merchant'
import type { CartLine, CartTotals } from '../cart/cart.js'
import type { CardSummary } from './card-summary.js'
import { type OrderState, stateOfSearch } from './order-state.js'

/** A purchase, from the moment before the service is asked. */
export interface Order extends CartTotals {
  /** The shop's identifier; never used for two purchases. */
  readonly reference: string
  /** The browser that may see it. */
  readonly sessionId: string
  readonly email: string
  readonly placedAtMs: number
  readonly lines: readonly CartLine[]
  readonly installments: number
  /** What each installment costs, with interest; undefined when the service could not tell. */
  readonly terms: InstallmentBody | undefined
  readonly card: CardSummary | undefined
  readonly isCardSaved: boolean
  readonly state: OrderState
  /** The service's identifier, once it answered. */
  readonly code: string | undefined
  /** Of the last status read from the service, in its own words. */
  readonly statusChangedAt: string | undefined
}

/** The address of an order: its code, or its reference while it has none. */
export function orderKey(order: Order): string {
  return order.code ?? order.reference
}

/** Whether the service has yet to say what became of the payment. */
export function isUnsettled({ state }: Order): boolean {
  return state === 'processing' || state === 'unknown'
}

/** The order as the service tells it. An answer older than the last one changes nothing. */
export function updateOrder(order: Order, found: SearchElement): Order {
  const changedAt = found['last-status-change-date']
  const state = stateOfSearch(found.status)
  const isOlder =
    order.statusChangedAt !== undefined && Date.parse(changedAt) < Date.parse(order.statusChangedAt)
  if (state === undefined || isOlder) return order
  // A decline at the checkout is a cancellation in the service's words.
  const isDecline =
    state === 'cancelled' && ['processing', 'unknown', 'rejected'].includes(order.state)
  return {
    ...order,
    code: found['transaction-code'],
    state: isDecline ? 'rejected' : state,
    statusChangedAt: changedAt,
  }
}

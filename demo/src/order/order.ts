import type { SearchElement } from '@cofre/merchant'
import type { CartLine, CartTotals } from '../cart/cart.js'
import type { Centavos } from '../centavos.js'
import { type OrderPayment, hasDetails } from './order-payment.js'
import { type OrderRefund, mergeRefunds, refundsOf, sumOfRefunds } from './order-refund.js'
import { type OrderState, stateOfSearch } from './order-state.js'

/** A state that an order came to. */
export interface StateChange {
  readonly state: OrderState
  readonly atMs: number
}

/** A purchase, from the moment before the service is asked. */
export interface Order extends CartTotals {
  /** The shop's identifier; never used for two purchases. */
  readonly reference: string
  /** The browser that may see it. */
  readonly sessionId: string
  readonly email: string
  readonly placedAtMs: number
  readonly lines: readonly CartLine[]
  readonly payment: OrderPayment
  readonly state: OrderState
  /** States that the service told, oldest first. */
  readonly history: readonly StateChange[]
  /** Oldest first. */
  readonly refunds: readonly OrderRefund[]
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
export function isUnsettled({ state }: Pick<Order, 'state'>): boolean {
  return state === 'processing' || state === 'unknown'
}

/** Whether the next change may come at any moment. */
export function isMoving(order: Order): boolean {
  return (
    isUnsettled(order) ||
    order.state === 'pending' ||
    order.state === 'review' ||
    hasRunningRefund(order)
  )
}

/** Changes when the order's pages have something new to show. */
export function orderVersion({ state, refunds }: Order): string {
  return [state, ...refunds.map(({ id, status }) => `${id}-${status}`)].join('.')
}

/** The order in a state, which its history then has too. */
export function moveTo(order: Order, { state, atMs }: StateChange): Order {
  if (order.state === state) return order
  const history = isUnsettled({ state }) ? order.history : [...order.history, { state, atMs }]
  return { ...order, state, history }
}

/** The order as the service tells it. An answer older than the last one changes nothing. */
export function updateOrder(order: Order, found: SearchElement): Order {
  const changedAt = found['last-status-change-date']
  const state = stateOfSearch(found.status)
  const isOlder =
    order.statusChangedAt !== undefined && Date.parse(changedAt) < Date.parse(order.statusChangedAt)
  if (state === undefined || isOlder) return order
  const told: Order = {
    ...order,
    code: found['transaction-code'],
    refunds: mergeRefunds(order.refunds, refundsOf(found)),
    statusChangedAt: changedAt,
  }
  return moveTo(told, { state: stateAfter(order, state), atMs: Date.parse(changedAt) })
}

function stateAfter(order: Order, told: OrderState): OrderState {
  // A decline at the checkout is a cancellation in the service's words.
  const isDecline =
    told === 'cancelled' && ['processing', 'unknown', 'rejected'].includes(order.state)
  return isDecline || (isOutOfReach(order) && told !== 'paid') ? 'rejected' : told
}

/** The answer with the code or address to pay with was lost, and the service does not give it again. */
function isOutOfReach({ payment, state }: Order): boolean {
  return !hasDetails(payment) && ['unknown', 'rejected'].includes(state)
}

export function hasRunningRefund({ refunds }: Order): boolean {
  return refunds.some(({ status }) => status === 'PROCESSING')
}

/** What could still go back to the payer. */
export function refundableCentavos({ state, refunds, totalCentavos }: Order): Centavos {
  if (state !== 'paid' && state !== 'refunded') return 0
  return totalCentavos - sumOfRefunds(refunds, 'PROCESSED', 'PROCESSING')
}

/** Whether some of the money went back and some did not. */
export function isPartlyRefunded({ state, refunds, totalCentavos }: Order): boolean {
  const refunded = sumOfRefunds(refunds, 'PROCESSED')
  return state === 'refunded' && refunded > 0 && refunded < totalCentavos
}

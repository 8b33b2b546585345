const ORDER_STATES = [
  'processing',
  'unknown',
  'paid',
  'pending',
  'review',
  'rejected',
  'cancelled',
  'expired',
  'unpaid',
  'refunded',
  'chargeback',
] as const

/**
 * Where an order stands. `processing`: the service is being asked. `unknown`: it was asked and did not answer, so the
 * card may have been charged. `unpaid`: the payment did not come in time; `expired`: the time to pay has ended.
 */
export type OrderState = (typeof ORDER_STATES)[number]

export function parseOrderState(text: string): OrderState | undefined {
  return ORDER_STATES.find((state) => state === text)
}

/** What a status in the answer to the creation means for an order (specification, section 3). */
export function stateOfCreation(status: string): OrderState {
  switch (status) {
    case 'PAID':
      return 'paid'
    case 'REJECTED':
      return 'rejected'
    default:
      return 'pending'
  }
}

/** What a status in a search result means for an order; undefined for one that the spec does not have. */
export function stateOfSearch(status: string): OrderState | undefined {
  switch (status) {
    case 'PENDING':
      return 'pending'
    case 'UNDER-REVIEW':
      return 'review'
    case 'COMPLETE':
      return 'paid'
    case 'CANCELLED':
      return 'cancelled'
    case 'EXPIRED':
      return 'expired'
    case 'NOT-PAID':
      return 'unpaid'
    case 'REFUNDED':
      return 'refunded'
    case 'CHARGEBACK':
      return 'chargeback'
    default:
      return undefined
  }
}

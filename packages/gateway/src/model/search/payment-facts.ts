import { type FigurePart, type PaymentEvents, paymentFigures } from '../figures/payment-figures.js'
import { type PaymentTerm, paymentTerms } from './payment-terms.js'

/** What the index and the figures know of a payment. */
export interface PaymentFacts {
  readonly terms: readonly PaymentTerm[]
  readonly figures: readonly FigurePart[]
}

export const NO_FACTS: PaymentFacts = { terms: [], figures: [] }

export function paymentFacts(events: PaymentEvents): PaymentFacts {
  return { terms: paymentTerms(events.transaction), figures: paymentFigures(events) }
}

/**
 * Whether a payment may still be withdrawn, as if nobody had asked for it: its payment method has
 * not answered.
 */
export function mayBeWithdrawn({ transaction: { open, status } }: PaymentEvents): boolean {
  return open && status === 'PENDING'
}

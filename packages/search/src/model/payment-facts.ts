import { type FigurePart, type PaymentEvents, paymentFigures } from './payment-figures.js'
import { type PaymentTerm, paymentTerms } from './payment-terms.js'

/** The terms and figures of a payment. */
export interface PaymentFacts {
  readonly terms: readonly PaymentTerm[]
  readonly figures: readonly FigurePart[]
}

export const NO_FACTS: PaymentFacts = { terms: [], figures: [] }

export function paymentFacts(events: PaymentEvents): PaymentFacts {
  return { terms: paymentTerms(events.transaction), figures: paymentFigures(events) }
}

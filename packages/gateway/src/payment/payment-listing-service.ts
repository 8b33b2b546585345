import type { PaymentListing } from '../model/back-office/payment-listing.js'
import { type ListParts, type PaymentParts, partsOf } from '../model/back-office/payment-part.js'
import { type OrderDecisionDeps, isPermanentByName } from './order-decision-service.js'
import type { RefundStore } from './ports.js'

export interface PaymentListingDeps extends OrderDecisionDeps {
  readonly refunds: RefundStore
  readonly listParts: PaymentParts<ListParts>
}

export function createPaymentListing(deps: PaymentListingDeps): PaymentListing {
  const { listParts, refunds } = deps
  return {
    async beside(payments) {
      const [refundsOf, addedTo] = await Promise.all([
        refunds.findOf(payments.map(({ code }) => code)),
        partsOf(listParts, payments),
      ])
      return (payment) => ({ refunds: refundsOf.get(payment.code) ?? [], ...addedTo(payment) })
    },
    isPermanentByName: (storeId, names) => isPermanentByName(deps, storeId, names),
  }
}

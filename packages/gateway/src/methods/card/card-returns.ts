import type { PaymentMethod } from '../../method/payment-method.js'
import { cardOf } from '../../model/transaction/payment-details.js'
import { type RefundCardDeps, refundCard } from '../../payment/card-return-service.js'
import type { RefundDays } from '../../payment/ports.js'

/** Refunds of card payments: the vault requests them from the acquirer of the charge. */
export type CardReturns = Pick<PaymentMethod, 'refund' | 'refundDays'>

export interface CardReturnsDeps extends RefundCardDeps {
  readonly refundDays?: RefundDays | undefined
}

export function createCardReturns(deps: CardReturnsDeps): CardReturns {
  return {
    async refundDays(payment) {
      const charge = cardOf(payment)?.charge
      if (charge === undefined) return undefined
      const { installments, subType: brand = '' } = payment
      return await deps.refundDays?.({ provider: charge.provider, brand, installments })
    },
    refund: (refund) => refundCard(deps, refund),
  }
}

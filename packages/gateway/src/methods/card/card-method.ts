import { ApiError } from '@cofre/contracts'
import type { PaymentMethod } from '../../method/payment-method.js'
import { authenticationPath } from '../../model/payer-page/payer-paths.js'
import { declineLimitsOf } from '../../model/purchase/decline-limits.js'
import { onlyCharge } from '../../model/transaction/stored-request.js'
import { cardOf } from '../../model/transaction/payment-details.js'
import { awaitsAuthentication } from '../../model/transaction/transaction.js'
import {
  type ActivateSavedCardDeps,
  activateSavedCard,
} from '../../payment/card-activation-service.js'
import {
  type CardPaymentDeps,
  payByCard,
  recallCardPayment,
} from '../../payment/card-payment-service.js'
import { cardOrder } from './card-order.js'
import type { CardReturns } from './card-returns.js'

export interface CardDeps extends CardPaymentDeps, ActivateSavedCardDeps {
  readonly publicUrl?: string | undefined
}

/** Card payments, which the vault charges. */
export function createCardMethod(deps: CardDeps, returns: CardReturns): PaymentMethod {
  const { cards, environment } = deps
  return {
    type: 'credit-card',
    unpaidStatus: 'EXPIRED',

    plan({ merchant, request, deadline, isFromLink }) {
      const { 'payment-info': info } = onlyCharge(request)
      if (info?.['credit-card'] !== undefined && !merchant.mayUseRawCards)
        throw new ApiError([{ name: 'unavailable_payment_method', cause: 'raw-card' }])
      return {
        installments: info?.installments ?? 1,
        parts: [deps.transactions.declinePart(declineLimitsOf(merchant, environment))],
        open: async (intent, { refusedBins }) =>
          await payByCard(deps, intent, {
            ...cardOrder(intent, request, { ...deps, refusedBins }),
            deadline,
            ...(isFromLink && { isFromLink }),
          }),
      }
    },

    resume: (intent) => recallCardPayment(deps, intent),
    // No response to a request has this status, so the store is notified immediately.
    finish: (intent) => recallCardPayment({ ...deps, notifyDelayMs: 0 }, intent),
    async decide({ code }) {
      return (await cards.hasArrived(environment, String(code))) ? 'arrived' : 'never-arrived'
    },

    follow: (payment) => activateSavedCard(deps, payment),

    refundObstacle: (payment) =>
      cardOf(payment)?.charge !== undefined || environment === 'sandbox' ? undefined : 'status',
    ...returns,

    shown: (payment, publicUrl) =>
      awaitsAuthentication(payment)
        ? { 'authentication-url': publicUrl + authenticationPath(payment.publicId) }
        : {},
    isGivenLater: false,
  }
}

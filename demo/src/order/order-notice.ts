import type { Messages, Notice } from '../language/messages.js'
import { BRAND_NAMES } from './card-summary.js'
import { walletName } from './order-payment.js'
import { type Order, isPartlyRefunded } from './order.js'

/** What an order's state means for who placed it. */
export function noticeOf(order: Order, { order: texts }: Messages): Notice {
  const { state, payment } = order
  if (isPartlyRefunded(order)) return texts.partlyRefunded
  if (payment.kind === 'card') return texts.results[state]
  if (state === 'pending') return texts.waiting[payment.kind]
  return state === 'rejected' ? texts.notStarted : texts.results[state]
}

/** The state in one or two words. */
export function stateName(order: Order, { order: texts }: Messages): string {
  if (isPartlyRefunded(order)) return texts.partlyRefundedState
  return order.state === 'rejected' && order.payment.kind !== 'card'
    ? texts.notStartedState
    : texts.states[order.state]
}

/** `Visa final 1111`, `PIX`, `PayPal`. */
export function paymentName({ payment }: Order, { order: texts }: Messages): string {
  switch (payment.kind) {
    case 'card': {
      const { card } = payment
      if (card === undefined) return texts.paymentNames.card
      return texts.cardEnding(BRAND_NAMES[card.brand], card.lastFour)
    }
    case 'boleto':
    case 'pix':
      return texts.paymentNames[payment.kind]
    case 'wallet':
      return walletName(payment.wallet)
  }
}

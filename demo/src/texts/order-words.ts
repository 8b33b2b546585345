import { type InstallmentBody, shopperTextOf } from '@cofre/merchant'
import { type Language, fill, formatMoney, properName } from '@cofre/pages'
import { BRAND_NAMES } from '../model/card.js'
import { toCentavos } from '../model/money.js'
import {
  type Order,
  isBeingIssued,
  isPartlyRefunded,
  isRefundFailed,
  releasedCentavosOf,
} from '../model/order.js'
import type { Texts } from './texts.js'

/** The notice of an order's state; for a decline, the vaguer text. */
export function noticeOf(order: Order, { order: texts }: Texts, language: Language) {
  const { state, payment } = order
  if (isPartlyRefunded(order)) return texts.partlyRefunded
  if (isRefundFailed(order)) return texts.refundFailed
  if (order.isCaptureFailed) return texts.captureFailed
  if (state === 'paid' && releasedCentavosOf(order) > 0) return texts.partlyCharged
  if (payment.kind === 'card') {
    const { title, text } = texts.results[state]
    const reason = state === 'rejected' ? order.answer.decline?.reason : undefined
    if (reason === undefined) return { title, text }
    return { title, text: fill(texts.declined, { text: shopperTextOf(reason, language) }) }
  }
  if (isBeingIssued(order)) return texts.issuing
  if (state === 'pending') return texts.waiting[payment.kind]
  return state === 'rejected' ? texts.notStarted : texts.results[state]
}

/** The state in one or two words. */
export function stateName(order: Order, { order: texts }: Texts): string {
  if (isPartlyRefunded(order)) return texts.partlyRefundedState
  if (isRefundFailed(order)) return texts.refundFailedState
  const hasNotStarted = order.state === 'rejected' && order.payment.kind !== 'card'
  return hasNotStarted ? texts.notStartedState : texts.states[order.state]
}

/** `Visa final 1111`, `PIX`, `PayPal`. */
export function paymentName({ payment }: Order, { order: texts }: Texts): string {
  if (payment.kind === 'wallet') return properName(payment.wallet ?? '')
  if (payment.kind !== 'card' || payment.card === undefined) return texts.paymentNames[payment.kind]
  const { brand, lastFour } = payment.card
  return fill(texts.cardEnding, { brand: BRAND_NAMES[brand], lastFour })
}

/** The wallet or issuer where the payer completes an order. */
export function elsewhereName(order: Order, texts: Texts): string {
  return order.payment.kind === 'wallet' ? paymentName(order, texts) : texts.order.wallet.cardBank
}

/** One installment option: `3x de R$ 35,35 (total R$ 106,05)`. */
export function installmentLabel(
  { quantity, installmentAmount, totalAmount, interestFree }: InstallmentBody,
  { checkout: texts }: Texts,
  language: Language,
): string {
  const amount = formatMoney(toCentavos(installmentAmount), language)
  if (quantity === 1) return fill(texts.oneInstallment, { amount })
  const total = formatMoney(toCentavos(totalAmount), language)
  const interest = interestFree ? texts.interestFree : fill(texts.withInterest, { total })
  return `${fill(texts.manyInstallments, { count: quantity, amount })} (${interest})`
}

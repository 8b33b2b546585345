import { SECOND_MS } from '@cofre/contracts'
import { answeredWithin } from '@cofre/jobs'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'

const ANSWER_WITHIN_MS = 20 * SECOND_MS

/** Rails that answer or fail in bounded time, whatever their providers do: a provider that hangs holds nobody up. */
export function boundedRails(rails: PaymentRails, timeoutMs = ANSWER_WITHIN_MS): PaymentRails {
  return {
    registerBoleto: (order, dueDate) =>
      answeredWithin(timeoutMs, () => rails.registerBoleto(order, dueDate)),
    openPixCharge: (order) => answeredWithin(timeoutMs, () => rails.openPixCharge(order)),
    openWallet: (order) => answeredWithin(timeoutMs, () => rails.openWallet(order)),
    refund: (order) => answeredWithin(timeoutMs, () => rails.refund(order)),
    acceptsRefund: (paymentType, subType) => rails.acceptsRefund(paymentType, subType),
  }
}

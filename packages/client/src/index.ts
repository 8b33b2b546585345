export type { CreditCard, CreditCardDraft } from './credit-card.js'
export { type CardField, DirectTokenError, type DirectTokenErrorCode } from './errors.js'
export {
  type DirectTokenCallback,
  PaymentMethod,
  type PaymentMethodOptions,
} from './payment-method.js'
export { createSecurityCodeToken } from './security-code.js'

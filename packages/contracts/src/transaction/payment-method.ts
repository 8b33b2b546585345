/** `charge[].payment-method.type` (specification, section 2.1). */
export const PAYMENT_TYPES = ['credit-card', 'postpay', 'e-wallet', 'eft'] as const
export type PaymentType = (typeof PAYMENT_TYPES)[number]

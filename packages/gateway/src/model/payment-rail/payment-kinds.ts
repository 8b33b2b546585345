// The properties of payments by PIX and by boleto, whether a bank or the rails open the charge.
import type { PaymentType } from '@cofre/contracts'

export interface PaymentKind {
  readonly type: PaymentType
  /** Its status if it ends unpaid. */
  readonly unpaidStatus: 'EXPIRED' | 'NOT-PAID'
  /** True if a bank may accept it and issue its codes later. */
  readonly isGivenLater: boolean
}

export const PIX_PAYMENT: PaymentKind = {
  type: 'eft',
  unpaidStatus: 'EXPIRED',
  isGivenLater: false,
}

export const BOLETO_PAYMENT: PaymentKind = {
  type: 'postpay',
  unpaidStatus: 'NOT-PAID',
  isGivenLater: true,
}

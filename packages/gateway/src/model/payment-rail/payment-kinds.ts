// What a payment by PIX and one by boleto are, whoever opens its charge: a bank, or the rails.
import type { PaymentType } from '@cofre/contracts'

export interface PaymentKind {
  readonly type: PaymentType
  /** How it ends unpaid. */
  readonly unpaidStatus: 'EXPIRED' | 'NOT-PAID'
  /** A bank may take it, and issue it later: its codes come then. */
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

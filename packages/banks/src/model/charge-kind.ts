// The differences between a PIX and a boleto at a bank: everything else is one rule for both.
import type { PaymentType, TransactionRequest } from '@cofre/contracts'
import { boletoPayer } from './boleto-payer.js'
import { REOPEN_AFTER_MS } from './bank-charge.js'
import {
  type ChargeMethod,
  type ChargeName,
  type PaymentKind,
  BOLETO_PAYMENT,
  PIX_PAYMENT,
} from '@cofre/gateway/method'
import { type ChargePayer, drawBoletoName, drawTxid } from '@cofre/provider-kit/bank'

export interface ChargeKind {
  readonly type: PaymentType
  /** True if production too may simulate the bank of a store without an account. */
  readonly isSimulatedWithoutAccount: boolean
  /** Draws the charge's name at the bank. */
  readonly drawName: (randomBelow: (limit: number) => number) => ChargeName
  readonly hasDueDate: boolean
  /** The debtor, in the form that the bank requires. */
  readonly payerOf: (payer: TransactionRequest['payer']) => ChargePayer
  /** A bank may accept it first and issue it later, with its codes. */
  readonly isIssuedLater: boolean
  /** If requested twice under one name, the bank opens one charge. */
  readonly isOpenedOnce: boolean
  /** If one bank refuses it, another bank may accept it. */
  readonly isReroutedWhenRefused: boolean
  /**
   * The bank lists paid charges: a charge is unpaid if the list reaches past its end without it.
   */
  readonly isListedWhenPaid: boolean
  /** The payer's own bank may have shown it, even if the shop never did. */
  readonly isVisibleElsewhere: boolean
  /**
   * For this time after the removal began, a bank that does not list the charge may still list it.
   * Undefined if its first answer is final.
   */
  readonly isListedLateMs: number | undefined
  /** Its status if it ends unpaid. */
  readonly unpaidEnd: PaymentKind['unpaidStatus']
}

const PIX: ChargeKind = {
  type: PIX_PAYMENT.type,
  isSimulatedWithoutAccount: false,
  drawName: drawTxid,
  hasDueDate: false,
  payerOf: ({ name, document }) => ({ name, document: document.number.toUpperCase() }),
  isIssuedLater: PIX_PAYMENT.isGivenLater,
  isOpenedOnce: true,
  isReroutedWhenRefused: false,
  isListedWhenPaid: true,
  isVisibleElsewhere: false,
  isListedLateMs: undefined,
  unpaidEnd: PIX_PAYMENT.unpaidStatus,
}

const BOLETO: ChargeKind = {
  type: BOLETO_PAYMENT.type,
  isSimulatedWithoutAccount: true,
  drawName: drawBoletoName,
  hasDueDate: true,
  payerOf: boletoPayer,
  isIssuedLater: BOLETO_PAYMENT.isGivenLater,
  isOpenedOnce: false,
  isReroutedWhenRefused: true,
  isListedWhenPaid: false,
  isVisibleElsewhere: true,
  // A bank may list an accepted charge late: a single read proves nothing.
  isListedLateMs: REOPEN_AFTER_MS,
  unpaidEnd: BOLETO_PAYMENT.unpaidStatus,
}

const KINDS: Readonly<Record<ChargeMethod, ChargeKind>> = { pix: PIX, boleto: BOLETO }

export function chargeKindOf({ method }: { readonly method: ChargeMethod }): ChargeKind {
  return KINDS[method]
}

/** The method that accounts are asked for; undefined if no bank takes such payments. */
export function chargeMethodOf(paymentType: PaymentType): ChargeMethod | undefined {
  if (paymentType === PIX.type) return 'pix'
  return paymentType === BOLETO.type ? 'boleto' : undefined
}

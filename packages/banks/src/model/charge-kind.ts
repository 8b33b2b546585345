// What a PIX and a boleto at a bank differ in: all else is one rule for both.
import type { PaymentType, TransactionRequest } from '@cofre/contracts'
import { boletoPayer } from './boleto-payer.js'
import { ASK_AGAIN_AFTER_MS } from './bank-charge.js'
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
  /** Whether production too may simulate its bank for stores without an account. */
  readonly isSimulatedWithoutAccount: boolean
  /** Draws its name at the bank. */
  readonly drawName: (randomBelow: (limit: number) => number) => ChargeName
  readonly hasDueDate: boolean
  /** Who owes it, as its bank wants to know. */
  readonly payerOf: (payer: TransactionRequest['payer']) => ChargePayer
  /** A bank may take it, and issue it later: its codes come then. */
  readonly isIssuedLater: boolean
  /** Asked twice under one name, a bank opens one charge. */
  readonly isOpenedOnce: boolean
  /** Another bank may take what one has refused. */
  readonly isRoutedOnWhenRefused: boolean
  /** The bank lists what was paid: once the list reaches past its end, it was not. */
  readonly isListedWhenPaid: boolean
  /** Its payer's own bank may have shown it, although the shop never did. */
  readonly isSeenElsewhere: boolean
  /**
   * For so long after its removal began, a bank that does not know it may yet: undefined where its
   * first word holds.
   */
  readonly isListedLateMs: number | undefined
  /** How it ends unpaid. */
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
  isRoutedOnWhenRefused: false,
  isListedWhenPaid: true,
  isSeenElsewhere: false,
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
  isRoutedOnWhenRefused: true,
  isListedWhenPaid: false,
  isSeenElsewhere: true,
  // A bank may be slow to list one that it has taken: once is no proof.
  isListedLateMs: ASK_AGAIN_AFTER_MS,
  unpaidEnd: BOLETO_PAYMENT.unpaidStatus,
}

const KINDS: Readonly<Record<ChargeMethod, ChargeKind>> = { pix: PIX, boleto: BOLETO }

export function chargeKindOf({ method }: { readonly method: ChargeMethod }): ChargeKind {
  return KINDS[method]
}

/** What accounts are asked for such a payment; undefined where no bank's account is. */
export function chargeMethodOf(paymentType: PaymentType): ChargeMethod | undefined {
  if (paymentType === PIX.type) return 'pix'
  return paymentType === BOLETO.type ? 'boleto' : undefined
}

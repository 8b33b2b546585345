import type { AcquirerCharge, Decline } from '@cofre/contracts'

/** A payer's data to pay, or a card's outcome, by method; stored with the transaction. */
export type PaymentDetails = WaitingDetails | CardPaymentDetails
/** Data that a payer needs to pay. */
export type WaitingDetails = BoletoDetails | PixDetails | WalletDetails

export interface CardPaymentDetails {
  readonly kind: 'card'
  /**
   * At the account that was used; undefined if the sandbox simulated it, or no acquirer was called.
   */
  readonly charge: AcquirerCharge | undefined
  readonly decline: Decline | undefined
  /** Until then, the bank may authenticate the cardholder; absent if that is not wanted. */
  readonly authenticationUntilMs?: number | undefined
}

export interface BoletoDetails {
  readonly kind: 'boleto'
  /** 44 digits; undefined while the bank issues it, and for a PIX with a due date. */
  readonly barcode: string | undefined
  /** 47 digits; undefined while the bank issues it, and for a PIX with a due date. */
  readonly digitableLine: string | undefined
  /** The copy-and-paste code of the PIX that also pays it; absent without one. */
  readonly pixCode?: string | undefined
  /** The account whose bank has it; absent if the payment rails simulate the bank. */
  readonly accountId?: string | undefined
  /**
   * How the order's money came to that bank: only money by PIX can be returned. `elsewhere`: the
   * merchant has marked it as paid at the bank.
   */
  readonly paidBy?: 'pix' | 'line' | 'elsewhere' | undefined
  /** `YYYY-MM-DD`. */
  readonly dueDate: string
  readonly payerName: string
}

export interface PixDetails {
  readonly kind: 'pix'
  /** Copy-and-paste code. */
  readonly code: string
  /** The account whose bank has the charge; absent if the payment rails simulate the bank. */
  readonly accountId?: string
}

export interface WalletDetails {
  readonly kind: 'wallet'
  /** The wallet's page. */
  readonly paymentUrl: string
  readonly successUrl: string
  readonly failUrl: string
}

interface Detailed {
  readonly paymentDetails: PaymentDetails | undefined
}

/** The stored details of a card; undefined for other payments. */
export function cardOf({ paymentDetails: details }: Detailed): CardPaymentDetails | undefined {
  return details?.kind === 'card' ? details : undefined
}

/** The stored details of a boleto; undefined for other payments. */
export function boletoOf({ paymentDetails: details }: Detailed): BoletoDetails | undefined {
  return details?.kind === 'boleto' ? details : undefined
}

/** The copy-and-paste code of a PIX, including one that pays a boleto. */
export function pixCodeOf({ paymentDetails: details }: Detailed): string | undefined {
  if (details?.kind === 'pix') return details.code
  return details?.kind === 'boleto' ? details.pixCode : undefined
}

/** The account whose bank has the charge; undefined if no account's bank was called. */
export function bankAccountOf({ paymentDetails: details }: Detailed): string | undefined {
  const isAtBank = details?.kind === 'pix' || details?.kind === 'boleto'
  return isAtBank ? details.accountId : undefined
}

/** The account that was used for the charge; undefined without one. */
export function accountOf(detailed: Detailed): string | undefined {
  return cardOf(detailed)?.charge?.accountId ?? bankAccountOf(detailed)
}

import type { AcquirerCharge, Decline } from '@cofre/contracts'

/** What a payer needs to pay, or what became of a card, by method; kept with the transaction. */
export type PaymentDetails = WaitingDetails | CardPaymentDetails
/** What a payer needs to pay. */
export type WaitingDetails = BoletoDetails | PixDetails | WalletDetails

export interface CardPaymentDetails {
  readonly kind: 'card'
  /** At the account that was asked; undefined where the sandbox played it, or nobody was asked. */
  readonly charge: AcquirerCharge | undefined
  /** Why it was declined. */
  readonly decline: Decline | undefined
  /** Until then its holder may be authenticated by its bank; absent where that is not wanted. */
  readonly authenticationUntilMs?: number | undefined
}

export interface BoletoDetails {
  readonly kind: 'boleto'
  /** 44 digits; undefined while the bank issues it, and of a PIX with a due date. */
  readonly barcode: string | undefined
  /** 47 digits; undefined while the bank issues it, and of a PIX with a due date. */
  readonly digitableLine: string | undefined
  /** The copy-and-paste code of the PIX that pays it too; absent without. */
  readonly pixCode?: string | undefined
  /** Whose bank has it; absent where the payment rails play the bank. */
  readonly accountId?: string | undefined
  /**
   * How the order's money came to that bank: what came by PIX alone can go back. `elsewhere`: the
   * merchant has told the bank so.
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
  /** Whose bank has the charge; absent where the payment rails play the bank. */
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

/** What is kept of a card; undefined of other payments. */
export function cardOf({ paymentDetails: details }: Detailed): CardPaymentDetails | undefined {
  return details?.kind === 'card' ? details : undefined
}

/** What is kept of a boleto; undefined of other payments. */
export function boletoOf({ paymentDetails: details }: Detailed): BoletoDetails | undefined {
  return details?.kind === 'boleto' ? details : undefined
}

/** The copy-and-paste code of a PIX, also of one that pays a boleto. */
export function pixCodeOf({ paymentDetails: details }: Detailed): string | undefined {
  if (details?.kind === 'pix') return details.code
  return details?.kind === 'boleto' ? details.pixCode : undefined
}

/** The account whose bank has the charge; undefined where no account's bank was asked. */
export function bankAccountOf({ paymentDetails: details }: Detailed): string | undefined {
  const isAtBank = details?.kind === 'pix' || details?.kind === 'boleto'
  return isAtBank ? details.accountId : undefined
}

/** The account that was asked for the money; undefined where none was. */
export function accountOf(detailed: Detailed): string | undefined {
  return cardOf(detailed)?.charge?.accountId ?? bankAccountOf(detailed)
}

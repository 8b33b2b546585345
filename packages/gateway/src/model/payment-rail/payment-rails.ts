import type { MinorUnits, PaymentType } from '@cofre/contracts'
import type { PixCharge, RegisteredBoleto } from '@cofre/provider-kit/bank'
import type { RefundOutcome } from '../refund/refund.js'

/**
 * A payment that a bank or a wallet must wait for. A repeated order with the same code gets the
 * same answer.
 */
export interface RailOrder {
  readonly merchantId: string
  /** Idempotency key of the charge. */
  readonly transactionCode: string
  /** Unguessable name of the charge, for addresses that a payer opens. */
  readonly publicId: string
  readonly amountMinor: MinorUnits
  readonly payerName: string
  /** CPF or CNPJ, without punctuation. */
  readonly payerDocument: string
}

export interface WalletCheckout {
  /** The page to send the payer to. */
  readonly paymentUrl: string
}

export interface WalletOrder extends RailOrder {
  readonly wallet: string
  readonly successUrl: string
  readonly failUrl: string
}

/** A refund that a bank, wallet or acquirer must make. */
export interface RefundOrder {
  /** Idempotency key. */
  readonly refundId: string
  readonly transactionCode: string
  readonly merchantId: string
  readonly amountMinor: MinorUnits
  /** The merchant's own identifier. */
  readonly reference: string | undefined
}

/**
 * All payments but cards: boleto, PIX and wallets. A rejected promise means that nothing was
 * requested, or that the result is unknown.
 */
export interface PaymentRails {
  /** True if charges of this type are opened at all: false for real money without an account. */
  opens(paymentType: PaymentType): boolean
  /** @param dueDate - `YYYY-MM-DD` */
  registerBoleto(order: RailOrder, dueDate: string): Promise<RegisteredBoleto>
  openPixCharge(order: RailOrder): Promise<PixCharge>
  openWallet(order: WalletOrder): Promise<WalletCheckout>
  /**
   * Returns money. A repeated order for the same refund gets the same answer and pays nothing more.
   * `unknown`, or a rejected promise, means that it must be repeated later.
   */
  refund(order: RefundOrder): Promise<RefundOutcome | 'unknown'>
  /** True if money paid this way can be returned. */
  acceptsRefund(paymentType: PaymentType, subType: string | undefined): boolean
}

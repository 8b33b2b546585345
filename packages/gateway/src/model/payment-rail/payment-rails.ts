import type { MinorUnits, PaymentType } from '@cofre/contracts'
import type { PixCharge, RegisteredBoleto } from '@cofre/provider-kit/bank'
import type { RefundOutcome } from '../refund/refund.js'

/**
 * A payment that a bank or a wallet is asked to wait for. Asked again with the same code, it is
 * answered as before.
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

/** What the wallet gives a checkout. */
export interface WalletCheckout {
  /** The page to send the payer to. */
  readonly paymentUrl: string
}

export interface WalletOrder extends RailOrder {
  readonly wallet: string
  readonly successUrl: string
  readonly failUrl: string
}

/** One refund that a bank, wallet or acquirer is asked for. */
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
 * Everything that is not a card: boleto, PIX and wallets. A rejected promise means that nothing was
 * asked for, or nobody knows.
 */
export interface PaymentRails {
  /** Whether charges are opened at all: not where real money has no account. */
  opens(paymentType: PaymentType): boolean
  /** @param dueDate - `YYYY-MM-DD` */
  registerBoleto(order: RailOrder, dueDate: string): Promise<RegisteredBoleto>
  openPixCharge(order: RailOrder): Promise<PixCharge>
  openWallet(order: WalletOrder): Promise<WalletCheckout>
  /**
   * Sends money back. Asked again with the same refund, it gives the same answer and pays nothing
   * more. `unknown`, or a rejected promise, means ask again later.
   */
  refund(order: RefundOrder): Promise<RefundOutcome | 'unknown'>
  /** Whether money paid this way can be sent back. */
  acceptsRefund(paymentType: PaymentType, subType: string | undefined): boolean
}

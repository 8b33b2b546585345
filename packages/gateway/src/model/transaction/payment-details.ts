/** What a payer needs to pay, by method; kept with the transaction. */
export type PaymentDetails = BoletoDetails | PixDetails | WalletDetails

export interface BoletoDetails {
  readonly kind: 'boleto'
  /** 44 digits. */
  readonly barcode: string
  /** 47 digits. */
  readonly digitableLine: string
  /** `YYYY-MM-DD`. */
  readonly dueDate: string
  readonly payerName: string
}

export interface PixDetails {
  readonly kind: 'pix'
  /** Copy-and-paste code. */
  readonly code: string
}

export interface WalletDetails {
  readonly kind: 'wallet'
  /** The wallet's page. */
  readonly paymentUrl: string
  readonly successUrl: string
  readonly failUrl: string
}

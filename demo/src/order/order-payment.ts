import type { InstallmentBody, TransactionBody } from '@cofre/merchant'
import type { CardSummary } from './card-summary.js'

/** The service keeps a PIX charge open for a day; its answer does not say so. */
const PIX_LIFETIME_MS = 24 * 60 * 60 * 1000

/** A card, and how many times it is charged. */
export interface CardPayment {
  readonly kind: 'card'
  readonly installments: number
  /** What each installment costs, with interest; undefined when the service could not tell. */
  readonly terms: InstallmentBody | undefined
  readonly card: CardSummary | undefined
  readonly isCardSaved: boolean
}

/** What a boleto is paid with. */
export interface BoletoSlip {
  /** 47 digits. */
  readonly digitableLine: string
  readonly pageUrl: string
}

/** What a PIX charge is paid with. */
export interface PixCharge {
  /** The copy-and-paste code. */
  readonly code: string
  readonly imageUrl: string
}

/** How an order is paid, with what the payer needs for it; undefined until the service has said it. */
export type OrderPayment =
  | CardPayment
  | { readonly kind: 'boleto'; readonly slip: BoletoSlip | undefined }
  | { readonly kind: 'pix'; readonly charge: PixCharge | undefined }
  | {
      readonly kind: 'wallet'
      /** The wallet's identifier: `paypal`. */
      readonly wallet: string
      readonly pageUrl: string | undefined
    }

export type PaymentKind = OrderPayment['kind']

/** The payment with what the service answered for the payer. */
export function withDetails(
  payment: OrderPayment,
  { transaction }: Pick<TransactionBody, 'transaction'>,
): OrderPayment {
  const { 'payment-url': url, 'payment-code': code, 'digitable-line': digitableLine } = transaction
  const pageUrl = webAddress(url)
  const imageUrl = webAddress(transaction['qrcode-image'])
  switch (payment.kind) {
    case 'card':
      return payment
    case 'boleto':
      if (digitableLine === undefined || pageUrl === undefined) return payment
      return { ...payment, slip: { digitableLine, pageUrl } }
    case 'pix':
      if (code === undefined || imageUrl === undefined) return payment
      return { ...payment, charge: { code, imageUrl } }
    case 'wallet':
      return { ...payment, pageUrl }
  }
}

/** Whether the payer has what it takes to pay; without it nobody ever can. */
export function hasDetails(payment: OrderPayment): boolean {
  switch (payment.kind) {
    case 'card':
      return true
    case 'boleto':
      return payment.slip !== undefined
    case 'pix':
      return payment.charge !== undefined
    case 'wallet':
      return payment.pageUrl !== undefined
  }
}

/** When a PIX charge ends. */
export function pixExpiryMs(placedAtMs: number): number {
  return placedAtMs + PIX_LIFETIME_MS
}

const WALLET_NAMES: ReadonlyMap<string, string> = new Map([
  ['paypal', 'PayPal'],
  ['pagseguro', 'PagSeguro'],
])

/** How a wallet is called; one that the shop has not heard of, by its identifier. */
export function walletName(wallet: string): string {
  return WALLET_NAMES.get(wallet) ?? wallet.charAt(0).toUpperCase() + wallet.slice(1)
}

/** An http or https address; pages link to nothing else. */
function webAddress(text: string | undefined): string | undefined {
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? text
    : undefined
}

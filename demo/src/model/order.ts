import type {
  InstallmentBody,
  PaymentElement,
  SearchElement,
  TransactionBody,
} from '@cofre/merchant'
import type { CardSummary } from './card.js'
import { type CartLine, type CartTotals, addLines, isMadeToOrder } from './cart.js'
import { type Centavos, toCentavos } from './money.js'
import type { ShopSession } from './session.js'

/** The order's state by the status of its transaction (specification, section 3) or payment. */
const STATE_OF_STATUS = {
  PENDING: 'pending',
  AUTHORIZED: 'reserved',
  'UNDER-REVIEW': 'review',
  COMPLETE: 'paid',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  'NOT-PAID': 'unpaid',
  REFUNDED: 'refunded',
  CHARGEBACK: 'chargeback',
} as const satisfies Record<PaymentElement['status'], string>

/**
 * State of an order. `processing`: the request is running. `unknown`: no response came, so the card
 * may have been charged. `rejected`: nothing was charged, and the goods are back in the cart.
 * `reserved`: the card is charged when the goods leave.
 */
export type OrderState =
  | 'processing'
  | 'unknown'
  | 'rejected'
  | (typeof STATE_OF_STATUS)[PaymentElement['status']]

export interface CardPayment {
  readonly kind: 'card'
  readonly installments: number
  /** Price of each installment, with interest; undefined if the lookup failed. */
  terms?: InstallmentBody | undefined
  readonly card: CardSummary | undefined
  isCardSaved?: boolean
}

/** A payment that the payer completes outside the shop. */
export interface OpenPayment {
  readonly kind: 'boleto' | 'pix' | 'wallet'
  /** Identifier of the wallet: `paypal`. */
  readonly wallet?: string
}

export type OrderPayment = CardPayment | OpenPayment

/** Parts of a response: how to pay, or why a card was declined. */
type Answer = Partial<
  Pick<
    TransactionBody['transaction'],
    | 'authentication-url'
    | 'decline'
    | 'digitable-line'
    | 'payment-code'
    | 'payment-url'
    | 'qrcode-image'
  >
>

/** A purchase, created before the shop requests the payment. */
export interface Order extends CartTotals {
  /** The shop's identifier; never used for two purchases. */
  readonly reference: string
  /** The browser that placed it: no other may see the order. */
  readonly session: ShopSession
  readonly email: string
  readonly placedAtMs: number
  readonly lines: readonly CartLine[]
  readonly payment: OrderPayment
  state: OrderState
  /** From the response to the creation, updated by searches that contain more. */
  answer: Answer
  /** True if it was cancelled after it was paid: the acquirer does not pay the shop. */
  isCaptureFailed: boolean
  refunds: SearchElement['refunds']
  /** The charged part of an amount that was reserved first; undefined for any other. */
  chargedCentavos: Centavos | undefined
  /** The interest that the card is charged beside that part. */
  interestCentavos: Centavos
  /** The service's identifier, after its response. */
  code: string | undefined
  /** Date of the last recorded status. */
  statusChangedAtMs: number
}

/** The path of an order: its code, or its reference while it has no code. */
export function addressOf({ code, reference }: Pick<Order, 'code' | 'reference'>): string {
  return `/orders/${code ?? reference}`
}

/** True while the outcome of the payment request is unknown. */
export function isUnsettled({ state }: Pick<Order, 'state'>): boolean {
  return state === 'processing' || state === 'unknown'
}

/** True while the payment can still be made or confirmed. */
export function isOpen(order: Pick<Order, 'state'>): boolean {
  return isUnsettled(order) || order.state === 'pending' || order.state === 'review'
}

/**
 * Changes an order's state. Its goods are in the order or in the cart, never in both: `rejected`
 * returns them to the cart.
 */
export function moveTo(order: Order, state: OrderState): void {
  if (order.state === state) return
  if (state === 'rejected') addLines(order.session.cart, order.lines)
  if (order.state === 'rejected') addLines(order.session.cart, order.lines, -1)
  if (state === 'reserved') order.chargedCentavos = 0
  order.state = state
}

/** True if the amount is reserved first: searches show such an order as pending until it ends. */
export function isChargedLater({ lines, payment }: Order): boolean {
  return payment.kind === 'card' && isMadeToOrder(lines)
}

/**
 * Records a search's result. Ignores a result that is older than the last one.
 * @param charge - The payment of an order that {@link isChargedLater}.
 */
export function updateOrder(order: Order, found: SearchElement, charge?: PaymentElement): void {
  const changedAtMs = Date.parse(charge?.['date-changed'] ?? found['last-status-change-date'])
  const states: Readonly<Record<string, OrderState>> = STATE_OF_STATUS
  const reported = states[charge?.status ?? found.status]
  if (reported === undefined || changedAtMs < order.statusChangedAtMs) return
  const { kind } = order.payment
  // A boleto's bank may issue it later. PIX codes are only in the response to the creation.
  if (kind === 'card' || kind === 'boleto') order.answer = { ...order.answer, ...found }
  order.code = found['transaction-code']
  order.isCaptureFailed = found['cancellation-reason'] === 'capture_failed'
  order.refunds = found.refunds
  const captured = charge?.['captured-amount']
  if (typeof captured === 'number') {
    order.chargedCentavos = toCentavos(captured)
    order.interestCentavos =
      toCentavos(charge?.['charged-amount'] ?? captured) - toCentavos(captured)
  }
  order.statusChangedAtMs = changedAtMs
  moveTo(order, stateAfter(order, reported))
}

function stateAfter(order: Order, reported: OrderState): OrderState {
  const { state } = order
  const wasUndecided = isUnsettled(order) || state === 'rejected'
  // The service reports a decline at the checkout as a cancellation.
  if (reported === 'cancelled' && wasUndecided) return 'rejected'
  // Later responses repeat only a boleto's data. After a lost PIX code or wallet address, the order
  // can't be paid.
  const isLost = !canBePaid(order) && state !== 'processing' && wasUndecided
  return isLost && reported !== 'paid' ? 'rejected' : reported
}

/** The payer's data for a payment outside the shop. */
export interface PaymentDetails {
  /** The PIX code, or the 47 digits of the boleto; empty until there is one. */
  readonly code: string
  /** For a boleto that PIX can also pay: its PIX code and the URL of that code's picture. */
  readonly pix?: { readonly code: string; readonly imageUrl: string } | undefined
  /** URL of the PIX code's picture, of the boleto or of the wallet's page. */
  readonly url: string
}

export function detailsOf({ answer, payment }: Order): PaymentDetails | undefined {
  const { 'payment-code': pixCode, 'qrcode-image': imageUrl } = answer
  const pix =
    pixCode !== undefined && isWebAddress(imageUrl) ? { code: pixCode, imageUrl } : undefined
  if (payment.kind === 'pix') return pix && { code: pix.code, url: pix.imageUrl }
  const { 'digitable-line': line = '', 'payment-url': url } = answer
  return isWebAddress(url) ? { code: line, url, pix } : undefined
}

/** True until a boleto's bank returns a line or a PIX code. */
export function isBeingIssued(order: Order): boolean {
  if (order.payment.kind !== 'boleto' || order.state !== 'pending') return false
  const details = detailsOf(order)
  return details?.code === '' && details.pix === undefined
}

/** The page outside the shop where the payer completes an order; undefined if there is none. */
export function elsewhereOf(order: Order): string | undefined {
  const { answer, payment, state } = order
  if (payment.kind === 'wallet' && state === 'pending') return detailsOf(order)?.url
  const address = answer['authentication-url']
  const isAsked = payment.kind === 'card' && (state === 'pending' || state === 'review')
  return isAsked && isWebAddress(address) ? address : undefined
}

/** True if the payer has all data needed to pay. */
export function canBePaid(order: Order): boolean {
  return order.payment.kind === 'card' || detailsOf(order) !== undefined
}

/** Pages link only to http and https. */
function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:/.test(text) && URL.canParse(text)
}

/** True if only a part of the money was returned. */
export function isPartlyRefunded(order: Order): boolean {
  const { state, refunds, totalCentavos, chargedCentavos = totalCentavos } = order
  const processed = refunds.filter((refund) => refund['refund-status'] === 'PROCESSED')
  const refunded = processed.reduce(
    (sum, refund) => sum + toCentavos(Number(refund['refund-amount'])),
    0,
  )
  return state === 'refunded' && refunded > 0 && refunded < chargedCentavos
}

/** The released part of a reserved amount; 0 until it ends. */
export function releasedCentavosOf(order: Order): Centavos {
  const { state, totalCentavos, chargedCentavos = totalCentavos } = order
  return state === 'reserved' ? 0 : totalCentavos - chargedCentavos
}

/** The charged and released parts of a reserved amount, with their interest. */
export function partsOnCard(order: Order): Readonly<Record<'charged' | 'released', Centavos>> {
  const { chargedCentavos = 0, interestCentavos, payment, totalCentavos } = order
  const terms = payment.kind === 'card' ? payment.terms : undefined
  const releasedInterest =
    terms === undefined ? 0 : toCentavos(terms.totalAmount) - totalCentavos - interestCentavos
  const released = releasedCentavosOf(order)
  return {
    charged: chargedCentavos + interestCentavos,
    released: released === 0 ? 0 : released + releasedInterest,
  }
}

/**
 * True if the status is refunded although every refund failed: the service doesn't change it back.
 */
export function isRefundFailed({ state, refunds }: Order): boolean {
  const areAllRejected = refunds.every((refund) => refund['refund-status'] === 'REJECTED')
  return state === 'refunded' && refunds.length > 0 && areAllRejected
}

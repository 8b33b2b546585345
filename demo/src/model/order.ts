import type { InstallmentBody, SearchElement, TransactionBody } from '@cofre/merchant'
import type { CardSummary } from './card.js'
import { type CartLine, type CartTotals, addLines } from './cart.js'
import { toCentavos } from './money.js'
import type { Session } from './session.js'

/** What a transaction's status in a search means for an order (specification, section 3). */
const STATE_OF_STATUS = {
  PENDING: 'pending',
  'UNDER-REVIEW': 'review',
  COMPLETE: 'paid',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  'NOT-PAID': 'unpaid',
  REFUNDED: 'refunded',
  CHARGEBACK: 'chargeback',
} as const satisfies Record<SearchElement['status'], string>

/**
 * Where an order stands. `processing`: the request is under way. `unknown`: no response came, so
 * the card may have been charged. `rejected`: nothing was charged, and the goods are back in the
 * cart.
 */
export type OrderState =
  | 'processing'
  | 'unknown'
  | 'rejected'
  | (typeof STATE_OF_STATUS)[SearchElement['status']]

export interface CardPayment {
  readonly kind: 'card'
  readonly installments: number
  /** What each installment costs, with interest; undefined when the lookup failed. */
  terms?: InstallmentBody | undefined
  readonly card: CardSummary | undefined
  isCardSaved?: boolean
}

/** A payment that the payer makes elsewhere. */
export interface OpenPayment {
  readonly kind: 'boleto' | 'pix' | 'wallet'
  /** Identifier of the wallet: `paypal`. */
  readonly wallet?: string
}

export type OrderPayment = CardPayment | OpenPayment

/** What a response says of how to pay, or of why a card was declined. */
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

/** A purchase, from the moment before the service is asked for the payment. */
export interface Order extends CartTotals {
  /** The shop's identifier; never used for two purchases. */
  readonly reference: string
  /** Of the browser that placed it: no other may see the order. */
  readonly session: Session
  readonly email: string
  readonly placedAtMs: number
  readonly lines: readonly CartLine[]
  readonly payment: OrderPayment
  state: OrderState
  /** Of the response to the creation, and of searches where these have more. */
  answer: Answer
  /** Whether it was cancelled after it was paid: the acquirer does not pay the shop. */
  isCaptureFailed: boolean
  refunds: SearchElement['refunds']
  /** The service's identifier, once it responded. */
  code: string | undefined
  /** Date of the last status that was read. */
  statusChangedAtMs: number
}

/** The address of an order: its code, or its reference while it has none. */
export function addressOf({ code, reference }: Pick<Order, 'code' | 'reference'>): string {
  return `/orders/${code ?? reference}`
}

/** Whether the outcome of the payment request is still open. */
export function isUnsettled({ state }: Pick<Order, 'state'>): boolean {
  return state === 'processing' || state === 'unknown'
}

/** Whether the payment is still to be made or confirmed. */
export function isOpen(order: Pick<Order, 'state'>): boolean {
  return isUnsettled(order) || order.state === 'pending' || order.state === 'review'
}

/**
 * Changes an order's state. Its goods are in the order or in the cart, never in both: `rejected`
 * puts them back.
 */
export function moveTo(order: Order, state: OrderState): void {
  if (order.state === state) return
  if (state === 'rejected') addLines(order.session.cart, order.lines)
  if (order.state === 'rejected') addLines(order.session.cart, order.lines, -1)
  order.state = state
}

/** Records what a search returned. A response that is older than the last one changes nothing. */
export function updateOrder(order: Order, found: SearchElement): void {
  const changedAtMs = Date.parse(found['last-status-change-date'])
  const states: Readonly<Record<string, OrderState>> = STATE_OF_STATUS
  const reported = states[found.status]
  if (reported === undefined || changedAtMs < order.statusChangedAtMs) return
  const { kind } = order.payment
  // A boleto's bank may give it later; codes of a PIX are in the response to its creation alone.
  if (kind === 'card' || kind === 'boleto') order.answer = { ...order.answer, ...found }
  order.code = found['transaction-code']
  order.isCaptureFailed = found['cancellation-reason'] === 'capture_failed'
  order.refunds = found.refunds
  order.statusChangedAtMs = changedAtMs
  moveTo(order, stateAfter(order, reported))
}

function stateAfter(order: Order, reported: OrderState): OrderState {
  const { state } = order
  const wasUndecided = isUnsettled(order) || state === 'rejected'
  // The service reports a decline at the checkout as a cancellation.
  if (reported === 'cancelled' && wasUndecided) return 'rejected'
  // No later response repeats the lost code or address of any but a boleto, so nobody can pay.
  const isLost = !canBePaid(order) && state !== 'processing' && wasUndecided
  return isLost && reported !== 'paid' ? 'rejected' : reported
}

/** What a payer pays with elsewhere. */
export interface PaymentDetails {
  /** The PIX code, or the 47 digits of the boleto; empty where there is none yet. */
  readonly code: string
  /** Of a boleto that PIX pays too: its PIX code and the address of that code's picture. */
  readonly pix?: { readonly code: string; readonly imageUrl: string } | undefined
  /** Address of the PIX code's picture, of the boleto or of the wallet's page. */
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

/** Whether a boleto's bank has not given anything yet that it can be paid with. */
export function isBeingIssued(order: Order): boolean {
  if (order.payment.kind !== 'boleto' || order.state !== 'pending') return false
  const details = detailsOf(order)
  return details?.code === '' && details.pix === undefined
}

/** Where the payer finishes an order elsewhere; undefined where there is nothing to do. */
export function elsewhereOf(order: Order): string | undefined {
  const { answer, payment, state } = order
  if (payment.kind === 'wallet' && state === 'pending') return detailsOf(order)?.url
  const address = answer['authentication-url']
  const isAsked = payment.kind === 'card' && (state === 'pending' || state === 'review')
  return isAsked && isWebAddress(address) ? address : undefined
}

/** Whether the payer has all that it takes to pay. */
export function canBePaid(order: Order): boolean {
  return order.payment.kind === 'card' || detailsOf(order) !== undefined
}

/** Pages link to http and https only. */
function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:/.test(text) && URL.canParse(text)
}

/** Whether some of the money went back and some did not. */
export function isPartlyRefunded({ state, refunds, totalCentavos }: Order): boolean {
  const processed = refunds.filter((refund) => refund['refund-status'] === 'PROCESSED')
  const refunded = processed.reduce(
    (sum, refund) => sum + toCentavos(Number(refund['refund-amount'])),
    0,
  )
  return state === 'refunded' && refunded > 0 && refunded < totalCentavos
}

/** Whether it counts as refunded although every refund has failed: the service leaves it so. */
export function isRefundFailed({ state, refunds }: Order): boolean {
  const areAllRejected = refunds.every((refund) => refund['refund-status'] === 'REJECTED')
  return state === 'refunded' && refunds.length > 0 && areAllRejected
}

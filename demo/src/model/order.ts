import type { DeclineBody, InstallmentBody, SearchElement, TransactionBody } from '@cofre/merchant'
import type { CardSummary } from './card.js'
import { type CartLine, type CartTotals, addLines } from './cart.js'
import { type Centavos, parseReais } from './money.js'
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

export interface StateChange {
  readonly state: OrderState
  readonly atMs: number
}

export interface OrderRefund {
  readonly id: string
  readonly status: SearchElement['refunds'][number]['refund-status']
  readonly amountCentavos: Centavos
  readonly requestedAtMs: number
}

export interface CardPayment {
  readonly kind: 'card'
  readonly installments: number
  /** What each installment costs, with interest; undefined when the lookup failed. */
  terms?: InstallmentBody | undefined
  readonly card: CardSummary | undefined
  isCardSaved?: boolean
  /** Where its bank asks its holder; undefined where it does not. */
  authenticationUrl?: string | undefined
  /** Why the bank declined it; the customer reads it in vaguer words. */
  decline?: DeclineBody | undefined
}

/** A payment that the payer makes elsewhere. */
export interface OpenPayment {
  readonly kind: 'boleto' | 'pix' | 'wallet'
  /** Identifier of the wallet: `paypal`. */
  readonly wallet?: string
  /**
   * What to pay with; undefined until the service responded, and again never if that response was
   * lost.
   */
  details?: PaymentDetails | undefined
}

export interface PaymentDetails {
  /**
   * The PIX code, or the 47 digits of the boleto; empty for a wallet, for a boleto that its bank is
   * issuing, and for a PIX with a due date.
   */
  readonly code: string
  /** Of a boleto that PIX pays too: its PIX code and the address of that code's picture. */
  readonly pix?: { readonly code: string; readonly imageUrl: string } | undefined
  /** Address of the PIX code's picture, of the boleto or of the wallet's page. */
  readonly url: string
}

export type OrderPayment = CardPayment | OpenPayment

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
  /** Whether it was cancelled after it was paid: the acquirer does not pay the shop. */
  isCaptureFailed: boolean
  /** States that the service reported, oldest first. */
  readonly history: StateChange[]
  /** Oldest first. */
  refunds: readonly OrderRefund[]
  /** The service's identifier, once it responded. */
  code: string | undefined
  /** Date of the last status that was read. */
  statusChangedAtMs: number
}

/** The address of an order: its code, or its reference while it has none. */
export function orderKey({ code, reference }: Order): string {
  return code ?? reference
}

/** Whether the outcome of the payment request is still open. */
export function isUnsettled({ state }: Pick<Order, 'state'>): boolean {
  return state === 'processing' || state === 'unknown'
}

/** Whether the next change may come at any moment. */
export function isMoving(order: Order): boolean {
  const waits = order.state === 'pending' || order.state === 'review'
  return isUnsettled(order) || waits || hasRunningRefund(order)
}

/** Changes when the order's pages have something new to show. */
export function orderVersion(order: Order): string {
  const { state, refunds } = order
  return [
    isBeingIssued(order) ? `${state}-issuing` : state,
    ...refunds.map(({ id, status }) => `${id}-${status}`),
  ].join('.')
}

/**
 * Changes an order's state. Its goods are in the order or in the cart, never in both: `rejected`
 * puts them back.
 */
export function moveTo(order: Order, { state, atMs }: StateChange): void {
  if (order.state === state) return
  if (state === 'rejected') addLines(order.session.cart, order.lines)
  if (order.state === 'rejected') addLines(order.session.cart, order.lines, -1)
  order.state = state
  if (!isUnsettled(order)) order.history.push({ state, atMs })
}

/** Records what a search returned. A response that is older than the last one changes nothing. */
export function updateOrder(order: Order, found: SearchElement): void {
  const changedAtMs = Date.parse(found['last-status-change-date'])
  const states: Readonly<Record<string, OrderState>> = STATE_OF_STATUS
  const reported = states[found.status]
  if (reported === undefined || changedAtMs < order.statusChangedAtMs) return
  order.code = found['transaction-code']
  addDecline(order.payment, found.decline)
  if (order.payment.kind === 'boleto') addDetails(order.payment, { transaction: found })
  order.isCaptureFailed = found['cancellation-reason'] === 'capture_failed'
  order.refunds = mergeRefunds(order.refunds, refundsOf(found))
  order.statusChangedAtMs = changedAtMs
  moveTo(order, { state: stateAfter(order, reported), atMs: changedAtMs })
}

function stateAfter({ payment, state }: Order, reported: OrderState): OrderState {
  const wasUndecided = state === 'processing' || state === 'unknown' || state === 'rejected'
  // The service reports a decline at the checkout as a cancellation.
  if (reported === 'cancelled' && wasUndecided) return 'rejected'
  // No later response repeats the lost code or address of any but a boleto, so nobody can pay.
  const isLost = !hasDetails(payment) && state !== 'processing' && wasUndecided
  return isLost && reported !== 'paid' ? 'rejected' : reported
}

function addDecline(payment: OrderPayment, decline: DeclineBody | undefined): void {
  if (payment.kind === 'card' && decline !== undefined) payment.decline = decline
}

interface WithDetails {
  readonly transaction: Partial<
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
}

/**
 * Records what the payer needs from the response to the creation, or why a card was declined. A
 * boleto's bank may give it later: then a search has it.
 */
export function addDetails(payment: OrderPayment, { transaction }: WithDetails): void {
  if (payment.kind === 'card') {
    addDecline(payment, transaction.decline)
    const address = transaction['authentication-url']
    if (isWebAddress(address)) payment.authenticationUrl = address
    return
  }
  const isPix = payment.kind === 'pix'
  const url = transaction[isPix ? 'qrcode-image' : 'payment-url']
  const code = transaction[isPix ? 'payment-code' : 'digitable-line']
  const isComplete = !isPix || code !== undefined
  if (!isComplete || !isWebAddress(url)) return
  const pix = payment.kind === 'boleto' ? pixOf(transaction) : undefined
  payment.details = { code: code ?? '', url, pix }
}

/** The PIX that pays a boleto too. */
function pixOf(transaction: WithDetails['transaction']): PaymentDetails['pix'] {
  const { 'payment-code': code, 'qrcode-image': imageUrl } = transaction
  return code !== undefined && isWebAddress(imageUrl) ? { code, imageUrl } : undefined
}

/** Whether a boleto's bank has not given anything yet that it can be paid with. */
export function isBeingIssued({ payment, state }: Pick<Order, 'payment' | 'state'>): boolean {
  if (payment.kind !== 'boleto' || state !== 'pending' || payment.details === undefined)
    return false
  return payment.details.code === '' && payment.details.pix === undefined
}

/** Where the payer finishes an order elsewhere; undefined where there is nothing to do. */
export function elsewhereOf({ payment, state }: Order): string | undefined {
  const waits = state === 'pending' || state === 'review'
  if (payment.kind === 'card') return waits ? payment.authenticationUrl : undefined
  return payment.kind === 'wallet' && state === 'pending' ? payment.details?.url : undefined
}

/** Whether the payer has all that it takes to pay. */
export function hasDetails(payment: OrderPayment): boolean {
  return payment.kind === 'card' || payment.details !== undefined
}

/** Pages link to http and https only. */
function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:/.test(text) && URL.canParse(text)
}

function refundsOf({ refunds }: SearchElement): readonly OrderRefund[] {
  return refunds.map((refund) => ({
    id: refund['refund-id'],
    status: refund['refund-status'],
    amountCentavos: parseReais(refund['refund-amount']) ?? 0,
    requestedAtMs: Date.parse(refund['refund-date']),
  }))
}

/**
 * Both lists as one, oldest first. What has finished is not under way again, in whatever order the
 * responses come; it may end otherwise.
 */
function mergeRefunds(
  known: readonly OrderRefund[],
  read: readonly OrderRefund[],
): readonly OrderRefund[] {
  const merged = new Map(known.map((refund) => [refund.id, refund]))
  for (const refund of read) {
    const { status } = merged.get(refund.id) ?? refund
    if (status === 'PROCESSING' || refund.status !== 'PROCESSING') merged.set(refund.id, refund)
  }
  return [...merged.values()].toSorted((one, other) => one.requestedAtMs - other.requestedAtMs)
}

function hasRunningRefund({ refunds }: Order): boolean {
  return refunds.some(({ status }) => status === 'PROCESSING')
}

/** Whether some of the money went back and some did not. */
export function isPartlyRefunded({ state, refunds, totalCentavos }: Order): boolean {
  const processed = refunds.filter(({ status }) => status === 'PROCESSED')
  const refunded = processed.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0)
  return state === 'refunded' && refunded > 0 && refunded < totalCentavos
}

/** Whether it counts as refunded although every refund has failed: the service leaves it so. */
export function isRefundFailed({ state, refunds }: Order): boolean {
  const areAllRejected = refunds.every(({ status }) => status === 'REJECTED')
  return state === 'refunded' && refunds.length > 0 && areAllRejected
}

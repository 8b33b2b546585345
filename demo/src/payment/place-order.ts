import { type InstallmentBody, MerchantApiError, type TransactionBody } from '@cofre/merchant'
import { type CardSummary, type SavedCard, parseCardSummary } from '../model/card.js'
import { addLines, totalsOf } from '../model/cart.js'
import { toReais } from '../model/money.js'
import {
  type Order,
  type OrderPayment,
  type OrderState,
  canBePaid,
  moveTo,
} from '../model/order.js'
import { type Purchase, transactionRequest } from './purchase.js'
import { type Refusal, explainRefusal } from './refusal.js'
import { type Shop, isServiceError, keepOrder } from './shop.js'

/** The order, with any payment outcome; or the service's refusal, without an order. */
export type Placement = { readonly order: Order } | { readonly refusal: Refusal }

/**
 * Requests a cart's payment from the service. First it stores the order and empties the cart,
 * before any `await`: a form posted twice, a second tab or a lost response never pays twice.
 */
export async function placeOrder(shop: Shop, purchase: Purchase): Promise<Placement> {
  const { reference } = purchase
  const order = openOrder(purchase, shop.now())
  keepOrder(shop, order)
  addLines(order.session.cart, order.lines, -1)
  await addTerms(shop, order)
  const request = transactionRequest(purchase, shop.site.url)
  try {
    const response = await shop.merchant.createTransaction(request, { idempotencyKey: reference })
    recordResponse(purchase, order, response)
    // A notification may have reported a newer status than this response.
    if (order.statusChangedAtMs === 0) moveTo(order, stateOf(response))
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error instanceof MerchantApiError && error.isOutcomeKnown) {
      shop.log.warn({ reference, reason: error.message }, 'transaction refused')
      moveTo(order, 'rejected')
      shop.orders.delete(reference)
      return { refusal: explainRefusal(error) }
    }
    shop.log.error({ reference, reason: error.message }, 'payment outcome unknown')
    // A notification may have come before the lost response.
    if (order.state === 'processing' || !canBePaid(order)) order.state = 'unknown'
  }
  return { order }
}

function openOrder(purchase: Purchase, nowMs: number): Order {
  const { reference, session, lines, values } = purchase
  return {
    ...totalsOf(lines),
    reference,
    session,
    email: values.get('email') ?? '',
    placedAtMs: nowMs,
    lines,
    payment: paymentOf(purchase),
    state: 'processing',
    answer: {},
    isCaptureFailed: false,
    refunds: [],
    chargedCentavos: undefined,
    interestCentavos: 0,
    code: undefined,
    statusChangedAtMs: 0,
  }
}

function paymentOf({ session, payment, installments }: Purchase): OrderPayment {
  switch (payment.kind) {
    case 'token':
      return { kind: 'card', installments, card: payment.card }
    case 'saved-card': {
      const card = session.savedCards.find(({ code }) => code === payment.code)
      return { kind: 'card', installments, card }
    }
    case 'boleto':
    case 'pix':
    case 'wallet':
      return payment
  }
}

/**
 * Adds the price of the chosen installments, for the receipt only: a failed lookup does not stop
 * the purchase.
 */
async function addTerms(shop: Shop, { payment, totalCentavos }: Order): Promise<void> {
  if (payment.kind !== 'card' || payment.card === undefined || payment.installments === 1) return
  const offered = await findInstallments(shop, payment.card, totalCentavos)
  payment.terms = offered?.find(({ quantity }) => quantity === payment.installments)
}

/** The installments of an amount with a brand; undefined if the service did not respond. */
export async function findInstallments(
  { merchant, log }: Shop,
  { brand }: Pick<CardSummary, 'brand'>,
  totalCentavos: number,
): Promise<readonly InstallmentBody[] | undefined> {
  try {
    return await merchant.installments({ brand, amount: toReais(totalCentavos) })
  } catch (error) {
    if (!isServiceError(error)) throw error
    log.warn({ reason: error.message }, 'installments not known')
    return undefined
  }
}

function stateOf({ transaction }: TransactionBody): OrderState {
  if (transaction.status !== 'PENDING') return transaction.status === 'PAID' ? 'paid' : 'rejected'
  return transaction['capture-before'] === undefined ? 'pending' : 'reserved'
}

function recordResponse(purchase: Purchase, order: Order, response: TransactionBody): void {
  const { session, payment, values } = purchase
  order.code = response.transaction.code
  order.answer = { ...order.answer, ...response.transaction }
  const saved =
    payment.kind === 'token' && payment.isSaved ? savedCardOf(response, order.email) : undefined
  if (saved !== undefined && order.payment.kind === 'card') {
    order.payment.isCardSaved = true
    session.savedCards = [...session.savedCards.filter((card) => card.code !== saved.code), saved]
  }
  session.contact = values
}

function savedCardOf(response: TransactionBody, email: string): SavedCard | undefined {
  const [method] = response['payment-methods'] ?? []
  if (method === undefined) return undefined
  const card = method['credit-card']
  const summary = parseCardSummary(card.brand, card['masked-number'].slice(-4))
  return (
    summary && { ...summary, code: method.code, expirationDate: card['expiration-date'], email }
  )
}

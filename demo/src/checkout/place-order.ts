import {
  type InstallmentBody,
  MerchantApiError,
  MerchantConnectionError,
  type TransactionBody,
} from '@cofre/merchant'
import { type CartLine, cartTotals } from '../cart/cart.js'
import { toReais } from '../centavos.js'
import type { Language } from '../language/language.js'
import { type CardSummary, type SavedCard, parseCardSummary } from '../order/card-summary.js'
import { discardOrder, saveOrder } from '../order/order-goods.js'
import {
  type CardPayment,
  type OrderPayment,
  hasDetails,
  withDetails,
} from '../order/order-payment.js'
import { stateOfCreation } from '../order/order-state.js'
import { type Order, moveTo } from '../order/order.js'
import { type Session, listSavedCards, rememberCard } from '../session/session.js'
import type { Shop } from '../shop.js'
import type { CheckoutForm, PaymentChoice } from './checkout-form.js'
import { walletReturnUrls } from '../wallet/wallet-path.js'
import { type Refusal, explainRefusal } from './refusal.js'
import { type Purchase, transactionRequest } from './transaction-request.js'

/** A form that is complete enough to be sent. */
export interface OrderDraft {
  readonly session: Session
  readonly form: CheckoutForm
  readonly payment: PaymentChoice
  readonly lines: readonly [CartLine, ...CartLine[]]
  readonly language: Language
  /** Where the form came from. */
  readonly payerIp: string | undefined
}

/** The order, whatever became of its payment; or why the service did not take it, in which case there is none. */
export type Placement =
  | { readonly kind: 'placed'; readonly order: Order }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * Asks the service for the payment of a cart. The order is kept, and the cart emptied into it, before anything is
 * waited for, so that a form posted twice, a second tab or a lost answer never pays twice.
 */
export async function placeOrder(shop: Shop, draft: OrderDraft): Promise<Placement> {
  const opened = openOrder(shop, draft)
  saveOrder(shop, opened)
  const order = { ...opened, payment: await withTerms(shop, draft, opened.payment) }
  saveOrder(shop, order)
  try {
    const answer = await shop.merchant.createTransaction(
      transactionRequest(purchaseOf(shop, draft)),
      {
        idempotencyKey: order.reference,
      },
    )
    return { kind: 'placed', order: settleOrder(shop, draft, answer) }
  } catch (error) {
    if (error instanceof MerchantApiError && error.isOutcomeKnown) {
      shop.log.warn({ reference: order.reference, reason: error.message }, 'transaction refused')
      discardOrder(shop, order)
      return { kind: 'refused', refusal: explainRefusal(error) }
    }
    if (!(error instanceof MerchantApiError) && !(error instanceof MerchantConnectionError))
      throw error
    shop.log.error({ reference: order.reference, reason: error.message }, 'payment outcome unknown')
    return { kind: 'placed', order: markUnknown(shop, order) }
  }
}

function openOrder(shop: Shop, { session, form, payment, lines }: OrderDraft): Order {
  return {
    ...cartTotals(lines),
    reference: form.reference,
    sessionId: session.id,
    email: form.values.email,
    placedAtMs: shop.clock.now(),
    lines,
    payment: paymentOf(session, payment, form.installments),
    state: 'processing',
    history: [],
    refunds: [],
    code: undefined,
    statusChangedAt: undefined,
  }
}

function paymentOf(session: Session, payment: PaymentChoice, installments: number): OrderPayment {
  switch (payment.kind) {
    case 'token':
    case 'saved-card': {
      const card = payment.kind === 'token' ? payment.card : savedCard(session, payment)
      return { kind: 'card', installments, terms: undefined, card, isCardSaved: false }
    }
    case 'boleto':
      return { kind: 'boleto', slip: undefined }
    case 'pix':
      return { kind: 'pix', charge: undefined }
    case 'wallet':
      return { kind: 'wallet', wallet: payment.wallet, pageUrl: undefined }
  }
}

function savedCard(session: Session, payment: { readonly code: string }): CardSummary | undefined {
  return listSavedCards(session).find(({ card }) => card.code === payment.code)?.card
}

/** What the chosen installments cost. For the receipt only, so a lookup that fails does not stop the purchase. */
async function withTerms(
  shop: Shop,
  { lines }: OrderDraft,
  payment: OrderPayment,
): Promise<OrderPayment> {
  if (payment.kind !== 'card' || payment.installments === 1) return payment
  return { ...payment, terms: await chosenTerms(shop, lines, payment) }
}

async function chosenTerms(
  { merchant, log }: Shop,
  lines: readonly CartLine[],
  { card, installments }: CardPayment,
): Promise<InstallmentBody | undefined> {
  if (card === undefined) return undefined
  try {
    const amount = toReais(cartTotals(lines).totalCentavos)
    const offered = await merchant.installments({ brand: card.brand, amount })
    return offered.find(({ quantity }) => quantity === installments)
  } catch (error) {
    log.warn({ reason: String(error) }, 'installments not known')
    return undefined
  }
}

function purchaseOf(shop: Shop, draft: OrderDraft): Purchase {
  const { form, payment, lines, language, payerIp } = draft
  return {
    reference: form.reference,
    lines,
    totals: cartTotals(lines),
    values: form.values,
    payment,
    installments: form.installments,
    language,
    notificationUrl: shop.notificationUrl,
    returnUrls: walletReturnUrls(shop, form.reference),
    payerIp,
  }
}

function settleOrder(shop: Shop, draft: OrderDraft, answer: TransactionBody): Order {
  const { session, form, payment } = draft
  const saved = payment.kind === 'token' && payment.isSaved ? savedCardOf(answer) : undefined
  // A notification may have told more while the answer was on its way.
  const current = shop.orders.findByReference(form.reference) ?? openOrder(shop, draft)
  const told: Order = {
    ...current,
    code: answer.transaction.code,
    payment: paymentAfter(current.payment, answer, saved !== undefined),
  }
  const order =
    told.statusChangedAt === undefined
      ? moveTo(told, {
          state: stateOfCreation(answer.transaction.status),
          atMs: shop.clock.now(),
        })
      : told
  saveOrder(shop, order)
  shop.sessions.update(session.id, (open) => {
    const remembered =
      saved === undefined ? open : rememberCard(open, { email: form.values.email, card: saved })
    return { ...remembered, contact: form.values }
  })
  return order
}

function paymentAfter(
  payment: OrderPayment,
  answer: TransactionBody,
  isCardSaved: boolean,
): OrderPayment {
  return payment.kind === 'card' ? { ...payment, isCardSaved } : withDetails(payment, answer)
}

function savedCardOf(answer: TransactionBody): SavedCard | undefined {
  const [method] = answer['payment-methods'] ?? []
  if (method === undefined) return undefined
  const card = method['credit-card']
  const summary = parseCardSummary(card.brand, card['masked-number'].slice(-4))
  return summary && { ...summary, code: method.code, expirationDate: card['expiration-date'] }
}

function markUnknown(shop: Shop, order: Order): Order {
  const current = shop.orders.findByReference(order.reference) ?? order
  const isUnknown = current.state === 'processing' || !hasDetails(current.payment)
  const unknown: Order = isUnknown ? { ...current, state: 'unknown' } : current
  saveOrder(shop, unknown)
  return unknown
}

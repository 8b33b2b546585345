import type { Cart, CartLine } from '../cart/cart.js'
import { findProduct } from '../catalogue/product.js'
import { type CardSummary, type SavedCard, parseCardSummary } from '../order/card-summary.js'
import type { BoletoSlip, CardPayment, OrderPayment, PixCharge } from '../order/order-payment.js'
import { type OrderRefund, parseRefundStatus } from '../order/order-refund.js'
import { parseOrderState } from '../order/order-state.js'
import type { Order, StateChange } from '../order/order.js'
import type { Session } from '../session/session.js'
import {
  type Fields,
  readList,
  readNumber,
  readObject,
  readOptional,
  readText,
} from './json-field.js'

/** What a restart must not forget. */
export interface ShopState {
  readonly sessions: readonly Session[]
  readonly orders: readonly Order[]
}

/** The state as JSON. What the customer typed (name, CPF, address) is left out: nobody needs it to go on buying. */
export function writeState({ sessions, orders }: ShopState): string {
  return JSON.stringify({
    sessions: sessions.map(({ id, cart, savedCards }) => ({
      id,
      cart: [...cart].map(([product, quantity]) => ({ product, quantity })),
      savedCards: [...savedCards].map(([email, cards]) => ({ email, cards })),
    })),
    orders: orders.map(({ lines, ...order }) => ({
      ...order,
      lines: lines.map(({ product, quantity }) => ({ product: product.slug, quantity })),
    })),
  })
}

/**
 * Reads what {@link writeState} wrote.
 * @throws SyntaxError when it is not JSON, TypeError when it is not a state.
 */
export function parseState(json: string): ShopState {
  const state = readObject(JSON.parse(json))
  return {
    sessions: readList(state, 'sessions').map(parseSession),
    orders: readList(state, 'orders').map(parseOrder),
  }
}

function parseSession(fields: Fields): Session {
  return {
    id: readText(fields, 'id'),
    cart: parseCart(fields),
    contact: undefined,
    savedCards: new Map(
      readList(fields, 'savedCards').map((owned) => [
        readText(owned, 'email'),
        readList(owned, 'cards').flatMap(parseSavedCard),
      ]),
    ),
  }
}

function parseCart(fields: Fields): Cart {
  return new Map(
    readList(fields, 'cart').map((line) => [
      readText(line, 'product'),
      readNumber(line, 'quantity'),
    ]),
  )
}

function parseOrder(fields: Fields): Order {
  return {
    reference: readText(fields, 'reference'),
    sessionId: readText(fields, 'sessionId'),
    email: readText(fields, 'email'),
    placedAtMs: readNumber(fields, 'placedAtMs'),
    lines: readList(fields, 'lines').flatMap(parseLine),
    subtotalCentavos: readNumber(fields, 'subtotalCentavos'),
    shippingCentavos: readNumber(fields, 'shippingCentavos'),
    totalCentavos: readNumber(fields, 'totalCentavos'),
    payment: parsePayment(readObject(fields.payment)),
    state: parseOrderState(readText(fields, 'state')) ?? 'unknown',
    history: readList(fields, 'history').flatMap(parseChange),
    refunds: readList(fields, 'refunds').flatMap(parseRefund),
    code: readOptional(fields, 'code', readText),
    statusChangedAt: readOptional(fields, 'statusChangedAt', readText),
  }
}

/** Nothing for a product that is no longer sold. */
function parseLine(fields: Fields): readonly CartLine[] {
  const product = findProduct(readText(fields, 'product'))
  return product === undefined ? [] : [{ product, quantity: readNumber(fields, 'quantity') }]
}

function parseChange(fields: Fields): readonly StateChange[] {
  const state = parseOrderState(readText(fields, 'state'))
  return state === undefined ? [] : [{ state, atMs: readNumber(fields, 'atMs') }]
}

function parseRefund(fields: Fields): readonly OrderRefund[] {
  const status = parseRefundStatus(readText(fields, 'status'))
  if (status === undefined) return []
  return [
    {
      id: readText(fields, 'id'),
      status,
      amountCentavos: readNumber(fields, 'amountCentavos'),
      reference: readOptional(fields, 'reference', readText),
      requestedAtMs: readNumber(fields, 'requestedAtMs'),
    },
  ]
}

function parsePayment(fields: Fields): OrderPayment {
  const kind = readText(fields, 'kind')
  switch (kind) {
    case 'card':
      return {
        kind,
        installments: readNumber(fields, 'installments'),
        terms: readOptional(fields, 'terms', parseTerms),
        card: readOptional(fields, 'card', parseCard),
        isCardSaved: fields.isCardSaved === true,
      }
    case 'boleto':
      return { kind, slip: readOptional(fields, 'slip', parseSlip) }
    case 'pix':
      return { kind, charge: readOptional(fields, 'charge', parseCharge) }
    case 'wallet':
      return {
        kind,
        wallet: readText(fields, 'wallet'),
        pageUrl: readOptional(fields, 'pageUrl', readText),
      }
    default:
      throw new TypeError('a payment is of no known kind')
  }
}

function parseSlip(payment: Fields, name: string): BoletoSlip {
  const fields = readObject(payment[name])
  return { digitableLine: readText(fields, 'digitableLine'), pageUrl: readText(fields, 'pageUrl') }
}

function parseCharge(payment: Fields, name: string): PixCharge {
  const fields = readObject(payment[name])
  return { code: readText(fields, 'code'), imageUrl: readText(fields, 'imageUrl') }
}

function parseTerms(order: Fields, name: string): CardPayment['terms'] {
  const fields = readObject(order[name])
  return {
    quantity: readNumber(fields, 'quantity'),
    totalAmount: readNumber(fields, 'totalAmount'),
    installmentAmount: readNumber(fields, 'installmentAmount'),
    interestFree: fields.interestFree === true,
  }
}

function parseCard(order: Fields, name: string): CardSummary | undefined {
  return parseSummary(readObject(order[name]))
}

function parseSummary(fields: Fields): CardSummary | undefined {
  return parseCardSummary(readText(fields, 'brand'), readText(fields, 'lastFour'))
}

function parseSavedCard(fields: Fields): readonly SavedCard[] {
  const card = parseSummary(fields)
  if (card === undefined) return []
  const code = readText(fields, 'code')
  return [{ ...card, code, expirationDate: readText(fields, 'expirationDate') }]
}

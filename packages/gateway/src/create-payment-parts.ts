import { cardChangesPart } from './methods/card/card-parts.js'
import {
  type ListPart,
  type ListParts,
  type PagePart,
  type PageParts,
  type PaymentParts,
  paymentPartsOf,
} from './model/back-office/payment-part.js'
import type { CardChangeStore } from './payment/ports.js'

/**
 * Data that rooms add to a payment's page.
 * @param ofRooms - Parts beside the core's own.
 */
export function createPageParts(
  cardChanges: CardChangeStore,
  ofRooms: readonly PagePart[],
): PaymentParts<PageParts> {
  return paymentPartsOf<PageParts>({ cardChanges: [], paidOut: [] }, [
    ...ofRooms,
    cardChangesPart(cardChanges),
  ])
}

/** Data that rooms add to payments in lists. */
export function createListParts(ofRooms: readonly ListPart[]): PaymentParts<ListParts> {
  return paymentPartsOf<ListParts>({ hasSurplus: false }, ofRooms)
}

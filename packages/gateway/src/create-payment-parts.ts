// The registry: the one file that names all rooms that add something to payments.
import type { Ledger } from './ledger/ledger.js'
import { bankChargePart, surplusPart } from './methods/bank/bank-parts.js'
import { cardChangesPart } from './methods/card/card-parts.js'
import {
  type ListParts,
  type PageParts,
  type PaymentParts,
  paymentPartsOf,
} from './model/back-office/payment-part.js'

/** What rooms add to the page of a payment. */
export function createPageParts({
  bankCharges,
  cardChanges,
}: Pick<Ledger, 'bankCharges' | 'cardChanges'>): PaymentParts<PageParts> {
  const parts = [bankChargePart(bankCharges), cardChangesPart(cardChanges)]
  return paymentPartsOf<PageParts>({ cardChanges: [] }, parts)
}

/** What rooms add to payments in lists. */
export function createListParts({ surpluses }: Pick<Ledger, 'surpluses'>): PaymentParts<ListParts> {
  return paymentPartsOf<ListParts>({ hasSurplus: false }, [surplusPart(surpluses)])
}

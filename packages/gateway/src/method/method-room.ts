// What a package of payment methods adds to an environment: the core takes it, and knows none.
import type { ListPart, PagePart } from '../model/back-office/payment-part.js'
import type { PaymentMethod } from './payment-method.js'

export interface MethodRoom {
  /** The methods of the environment, given the core's own: one may stand in for one of those. */
  readonly methodsOver: (own: readonly PaymentMethod[]) => readonly PaymentMethod[]
  /** What it adds to the page of a payment. */
  readonly pageParts: readonly PagePart[]
  /** What it adds to payments in lists. */
  readonly listParts: readonly ListPart[]
}

/** An environment with the core's methods alone. */
export const NO_METHOD_ROOM: MethodRoom = {
  methodsOver: (own) => own,
  pageParts: [],
  listParts: [],
}

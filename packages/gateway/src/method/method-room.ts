// Additions of a package of payment methods to an environment. The core knows no such package.
import type { ListPart, PagePart } from '../model/back-office/payment-part.js'
import type { PaymentMethod } from './payment-method.js'

export interface MethodRoom {
  /** The environment's methods, given the core's own: one may replace one of those. */
  readonly methodsOver: (own: readonly PaymentMethod[]) => readonly PaymentMethod[]
  /** Additions to the page of a payment. */
  readonly pageParts: readonly PagePart[]
  /** Additions to payments in lists. */
  readonly listParts: readonly ListPart[]
}

/** An environment with only the core's methods. */
export const NO_METHOD_ROOM: MethodRoom = {
  methodsOver: (own) => own,
  pageParts: [],
  listParts: [],
}

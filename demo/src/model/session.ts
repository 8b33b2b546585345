import type { SavedCard } from './card.js'
import type { Cart } from './cart.js'
import type { FieldValues } from './payer.js'

/** What the shop remembers about one browser. */
export interface Session {
  readonly id: string
  readonly cart: Cart
  /** What the customer typed at the last checkout. */
  contact: FieldValues
  savedCards: readonly SavedCard[]
}

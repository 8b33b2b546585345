import type { SavedCard } from './card.js'
import type { Cart } from './cart.js'
import type { FieldValues } from './payer.js'

/**
 * Where a new card is typed: into inputs of the shop, whose page then turns it into a token, or
 * into fields of the vault in a frame.
 */
export const CARD_INPUTS = ['own', 'hosted'] as const
export type CardInput = (typeof CARD_INPUTS)[number]

/** What the shop remembers about one browser. */
export interface Session {
  readonly id: string
  readonly cart: Cart
  /** What the customer typed at the last checkout. */
  contact: FieldValues
  savedCards: readonly SavedCard[]
  cardInput: CardInput
}

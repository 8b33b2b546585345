import type { SavedCard } from './card.js'
import type { Cart } from './cart.js'
import type { FieldValues } from './payer.js'

/**
 * The place for a new card: inputs of the shop, whose page then makes a token, or fields of the
 * vault in a frame.
 */
export const CARD_INPUTS = ['own', 'hosted'] as const
export type CardInput = (typeof CARD_INPUTS)[number]

/** The shop's state of one browser. */
export interface ShopSession {
  readonly id: string
  readonly cart: Cart
  /** The customer's input at the last checkout. */
  contact: FieldValues
  savedCards: readonly SavedCard[]
  cardInput: CardInput
}

import type { Cart } from '../cart/cart.js'
import type { FieldValues } from '../checkout/field-name.js'
import type { SavedCard } from '../order/card-summary.js'

/** What the shop remembers about one browser. */
export interface Session {
  readonly id: string
  readonly cart: Cart
  /** What the customer typed at the last checkout. */
  readonly contact: FieldValues | undefined
  /** Saved cards by the e-mail they were saved with, which is the only one they work for. */
  readonly savedCards: ReadonlyMap<string, readonly SavedCard[]>
}

/** A card with its owner's e-mail. */
export interface OwnedCard {
  readonly email: string
  readonly card: SavedCard
}

export function listSavedCards(session: Session | undefined): readonly OwnedCard[] {
  if (session === undefined) return []
  return [...session.savedCards].flatMap(([email, cards]) => cards.map((card) => ({ email, card })))
}

/** Remembers a card; one that is known already is kept once. */
export function rememberCard(session: Session, { email, card }: OwnedCard): Session {
  const others = (session.savedCards.get(email) ?? []).filter(({ code }) => code !== card.code)
  return { ...session, savedCards: new Map(session.savedCards).set(email, [...others, card]) }
}

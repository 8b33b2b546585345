import type { CardChecks, Clock, Environment, Log, StoredCards } from '@cofre/contracts'
import type { AddRoomRoutes, PayerGuard } from '@cofre/gateway/room'
import { createCardSaving } from './card-saving.js'
import { savedCardRoutes } from './saved-card-routes.js'
import { createSavedCardActs } from './saved-cards.js'

export interface SavedCardsOptions {
  readonly environment: Environment
  /** The environment's time, by which cards expire. */
  readonly clock: Clock
  readonly log: Log
  /** The vault's. */
  readonly cards: StoredCards & CardChecks
  readonly payerGuard: PayerGuard
  /** Hears of each card that a store has deleted. */
  readonly cardDeleted: (storeId: string, code: string) => Promise<void>
}

/** The saved cards of an environment. */
export interface SavedCardsRoom {
  /** For the API of stores. */
  readonly savedCardRoutes: AddRoomRoutes
}

export function createSavedCards(options: SavedCardsOptions): SavedCardsRoom {
  const saving = createCardSaving(options)
  return { savedCardRoutes: savedCardRoutes(createSavedCardActs(options), saving) }
}

import type { Clock, Environment, Log, StoredCards } from '@cofre/contracts'
import type { AddRoomRoutes } from '@cofre/gateway/room'
import { savedCardRoutes } from './saved-card-routes.js'
import { createSavedCardActs } from './saved-cards.js'

export interface SavedCardsOptions {
  readonly environment: Environment
  /** The environment's time, by which cards expire. */
  readonly clock: Clock
  readonly log: Log
  /** The vault's. */
  readonly cards: StoredCards
  /** Hears of each card that a store has deleted. */
  readonly cardDeleted: (storeId: string, code: string) => Promise<void>
}

/** The saved cards of an environment. */
export interface SavedCardsRoom {
  /** For the API of stores. */
  readonly savedCardRoutes: AddRoomRoutes
}

export function createSavedCards(options: SavedCardsOptions): SavedCardsRoom {
  return { savedCardRoutes: savedCardRoutes(createSavedCardActs(options)) }
}

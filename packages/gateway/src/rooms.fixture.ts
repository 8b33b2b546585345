// A test gateway that serves the interfaces of all rooms, as an installation does.
import type { StoredCards } from '@cofre/contracts'
import { createEvents, eventFollows } from '../../events/src/index.js'
import { servesLinks } from '../../links/src/links.fixture.js'
import { servesDesk } from '../../operator/src/operator.fixture.js'
import { createSavedCards } from '../../saved-cards/src/index.js'
import { servesSearch } from '../../search/src/search.fixture.js'
import type { GatewayParts } from './create-gateway.js'
import { TEST_SECRET_KEY, type TestOptions } from './gateway.fixture.js'

/** A vault without saved cards. */
export const NO_CARDS: StoredCards = {
  storedCardsOf: () => Promise.resolve([]),
  findStoredCard: () => Promise.resolve(undefined),
  deleteSavedCard: () => Promise.resolve(false),
}

export const servesRoomsOver = (cards: StoredCards) =>
  ({
    followers: [eventFollows],
    roomsOn: (parts: GatewayParts) => [
      ...[servesLinks, servesDesk, servesSearch].flatMap(({ roomsOn }) => roomsOn(parts)),
      ...roomsWithCards(parts, cards),
    ],
  }) satisfies TestOptions

function roomsWithCards(parts: GatewayParts, cards: StoredCards) {
  const events = createEvents({
    ...parts,
    secretKeys: [TEST_SECRET_KEY],
    sender: { send: () => Promise.resolve({ statusCode: 200 }) },
    notifyIntervalMs: 600_000,
  })
  const { cardDeleted, eventRoutes } = events
  return [createSavedCards({ ...parts, cards, cardDeleted }).savedCardRoutes, eventRoutes]
}

export const servesRooms = servesRoomsOver(NO_CARDS)

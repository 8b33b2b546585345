// A test gateway that serves the interfaces of all rooms, as an installation does.
import type { CardChecks, StoredCards } from '@cofre/contracts'
import { createEvents, eventFollows } from '../../events/src/index.js'
import { servesLinks } from '../../links/src/links.fixture.js'
import { servesDesk } from '../../operator/src/operator.fixture.js'
import { createSavedCards } from '../../saved-cards/src/index.js'
import { servesSearch } from '../../search/src/search.fixture.js'
import { createPayerGuard } from './payment/payer-guard-service.js'
import type { GatewayParts } from './create-gateway.js'
import { TEST_SECRET_KEY, type TestOptions } from './gateway.fixture.js'

/** A vault without saved cards. */
export const NO_CARDS: StoredCards & CardChecks = {
  checkCard: () => Promise.resolve({ kind: 'refused', reason: 'no_account' }),
  storedCardsOf: () => Promise.resolve([]),
  findStoredCard: () => Promise.resolve(undefined),
  deleteSavedCard: () => Promise.resolve(false),
}

export const servesRoomsOver = (cards: StoredCards & CardChecks) =>
  ({
    followers: [eventFollows],
    roomsOn: (parts: GatewayParts) => [
      ...[servesLinks, servesDesk, servesSearch].flatMap(({ roomsOn }) => roomsOn(parts)),
      ...roomsWithCards(parts, cards),
    ],
  }) satisfies TestOptions

function roomsWithCards(parts: GatewayParts, cards: StoredCards & CardChecks) {
  const events = createEvents({
    ...parts,
    secretKeys: [TEST_SECRET_KEY],
    sender: { send: () => Promise.resolve({ statusCode: 200 }) },
    notifyIntervalMs: 600_000,
  })
  const { cardDeleted, eventRoutes } = events
  const payerGuard = createPayerGuard(parts)
  const saved = createSavedCards({ ...parts, cards, cardDeleted, payerGuard })
  return [saved.savedCardRoutes, eventRoutes]
}

export const servesRooms = servesRoomsOver(NO_CARDS)

import type { CardAcquirer } from '@cofre/vault'
import { TEST_CARDS } from '../test-data/test-data.js'

/** The card's number decides, so asking again with the same key gives the same answer. */
export function createSandboxAcquirer(): CardAcquirer {
  return {
    authorize({ card }) {
      const { number } = card.reveal()
      const outcome =
        TEST_CARDS.find((testCard) => testCard.number === number)?.outcome ?? 'approved'
      return Promise.resolve(outcome)
    },
  }
}

import {
  ApiError,
  type Clock,
  type Environment,
  LIST_LIMIT_USUAL,
  type ListPage,
  type Log,
  SAVED_CODE,
  type SavedCardSearch,
  type StoredCard,
  type StoredCards,
  cursorBy,
  pageOf,
} from '@cofre/contracts'
import { dayInBrasilia } from '@cofre/gateway/room'

/** A card's place in the list of its payer's. */
const CURSOR = cursorBy({ createdAtMs: 'bigint', code: 'text' })

export const isCursor = (text: string): boolean => SAVED_CODE.test(CURSOR.read(text)?.code ?? '')

export interface SavedCardDeps {
  readonly environment: Environment
  readonly clock: Clock
  readonly log: Log
  readonly cards: StoredCards
  readonly cardDeleted: (storeId: string, code: string) => Promise<void>
}

/** A saved card, and whether an order may charge it now. */
export interface ShownCard extends StoredCard {
  readonly isChargeable: boolean
}

/**
 * A store's acts on its payers' saved cards.
 * @throws ApiError saved_card_not_found; service_unavailable while the vault does not answer
 */
export interface SavedCardActs {
  readonly ofPayer: (storeId: string, search: SavedCardSearch) => Promise<ListPage<ShownCard>>
  readonly find: (storeId: string, code: string) => Promise<ShownCard>
  /** Deletes a card for good. Resolves to the card as it was. */
  readonly delete: (storeId: string, code: string) => Promise<ShownCard>
}

export function createSavedCardActs(deps: SavedCardDeps): SavedCardActs {
  const { cardDeleted, cards, environment } = deps
  const find = async (storeId: string, code: string): Promise<ShownCard> => {
    if (!SAVED_CODE.test(code)) throw new ApiError('saved_card_not_found')
    const key = { environment, merchantId: storeId, code }
    const found = await answered(deps, () => cards.findStoredCard(key))
    if (found === undefined) throw new ApiError('saved_card_not_found')
    return shownCard(deps, found)
  }
  return {
    async ofPayer(storeId, { cursor, limit = LIST_LIMIT_USUAL, ...payer }) {
      const after = CURSOR.read(cursor)
      const some = {
        environment,
        merchantId: storeId,
        payerEmail: payer['payer-email'],
        limit: limit + 1,
        ...(after !== undefined && { after }),
      }
      const found = await answered(deps, () => cards.storedCardsOf(some))
      const shown = found.map((card) => shownCard(deps, card))
      return pageOf(shown, limit, CURSOR.of)
    },
    find,
    async delete(storeId, code) {
      const card = await find(storeId, code)
      // Its result is ignored: an attempt whose answer was lost has deleted the card, too.
      await answered(deps, () => cards.deleteSavedCard(environment, storeId, code))
      await cardDeleted(storeId, code)
      return card
    },
  }
}

const MONTH_LENGTH = 7

/** A card is good until the end of its month. */
export function shownCard({ clock }: SavedCardDeps, card: StoredCard): ShownCard {
  const month = dayInBrasilia(clock.now()).slice(0, MONTH_LENGTH)
  return { ...card, isChargeable: card.isActive && card.expirationDate >= month }
}

/** @throws ApiError service_unavailable while the vault does not answer */
export async function answered<Answer>(
  { log }: SavedCardDeps,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    log.error({ error }, 'vault did not answer about saved cards')
    throw new ApiError('service_unavailable', { cause: error })
  }
}

import type { SavedCardCheckBody, SavedCardElement, SavedCardListBody } from '@cofre/contracts'
import { keyOf, membersOf, requireCode, requireObject, requireText } from './arguments.js'
import { filtersOf, pagesOf } from './payments.js'
import type { FieldsOf, PaymentCallsDeps } from './payments.js'
import type { CreateOptions, SaveCardRequest, SavedCardSearchRequest } from './request.js'
import * as responses from './response.js'

/** The saved cards of a store's payers. */
export interface SavedCardCalls {
  /**
   * Saves a card without a charge, once its acquirer has approved it: `saved-card` is null if it
   * was declined. The same token gets the same answer.
   * @throws MerchantApiError with code 90606 if the store may not, 90607 after too many cards of
   * the payer, 90608 if no acquirer can, 90609 if it gave no answer: then nothing is saved
   */
  saveCard(card: SaveCardRequest, options?: CreateOptions): Promise<SavedCardCheckBody>
  /**
   * One page of a payer's saved cards, newest first. The payer is in the body: logs contain
   * addresses.
   */
  searchSavedCards(search: SavedCardSearchRequest): Promise<SavedCardListBody>
  /** All saved cards of a payer, page after page; each page is requested when it is needed. */
  allSavedCardsOfPayer(
    search: SavedCardSearchRequest,
  ): AsyncGenerator<SavedCardElement, void, undefined>
  /** @throws MerchantApiError with status 404 and code 90604 if there is no such card */
  findSavedCard(code: string): Promise<SavedCardElement>
  /**
   * Deletes a card for good, and resolves to the card as it was.
   * @throws MerchantApiError with status 404 and code 90604 if there is no such card, also if an
   * earlier attempt deleted it whose answer was lost
   */
  deleteSavedCard(code: string): Promise<SavedCardElement>
}

const CARD_FIELDS = { token: true, payer: true } as const
const SEARCH_FIELDS: FieldsOf<SavedCardSearchRequest> = {
  'payer-email': true,
  limit: true,
  cursor: true,
}

export function savedCardsBy({ call, drawn }: PaymentCallsDeps): SavedCardCalls {
  const searchSavedCards = async (search: SavedCardSearchRequest): Promise<SavedCardListBody> => {
    const body = filtersOf('search', SEARCH_FIELDS, search)
    requireText('search.payer-email', body['payer-email'])
    return await call({
      target: '/saved-cards/searches',
      body,
      isSearch: true,
      isExpected: responses.isSavedCardList,
    })
  }
  return {
    async saveCard(card, options) {
      requireObject('card', card)
      const members = membersOf('card', CARD_FIELDS, card)
      requireText('card.token', members.token)
      requireObject('card.payer', members.payer)
      return await call({
        target: '/saved-cards',
        body: members,
        sent: { reference: 'saved-card', idempotencyKey: keyOf(options, drawn) },
        isExpected: responses.isSavedCardCheck,
      })
    },
    searchSavedCards,
    async *allSavedCardsOfPayer(search) {
      const filters = filtersOf('search', SEARCH_FIELDS, search)
      for await (const page of pagesOf(filters, searchSavedCards)) yield* page['saved-cards']
    },
    async findSavedCard(code) {
      requireCode('code', code)
      const target = `/saved-cards/${encodeURIComponent(code)}`
      return (await call({ target, isExpected: responses.isSavedCard }))['saved-card']
    },
    async deleteSavedCard(code) {
      requireCode('code', code)
      const deleted = await call({
        target: `/saved-cards/${encodeURIComponent(code)}/deletion`,
        body: {},
        isSearch: true,
        isExpected: responses.isSavedCard,
      })
      return deleted['saved-card']
    },
  }
}

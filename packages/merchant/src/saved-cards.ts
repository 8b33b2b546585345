import type { SavedCardCheckBody, SavedCardElement } from '@cofre/contracts'
import { keyOf, membersOf, requireCode, requireObject, requireText } from './arguments.js'
import type { PaymentCallsDeps } from './payments.js'
import type { CreateOptions, SaveCardRequest } from './request.js'
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
  /** A payer's saved cards, newest first. The payer is in the body: logs contain addresses. */
  searchSavedCards(payerEmail: string): Promise<readonly SavedCardElement[]>
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

export function savedCardsBy({ call, drawn }: PaymentCallsDeps): SavedCardCalls {
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
    async searchSavedCards(payerEmail) {
      requireText('payerEmail', payerEmail)
      const found = await call({
        target: '/saved-cards/searches',
        body: { 'payer-email': payerEmail },
        isSearch: true,
        isExpected: responses.isSavedCardList,
      })
      return found['saved-cards']
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

import type { CardChecks, StoredCard, StoredCards } from '@cofre/contracts'
import { FIXED_SAVED_CARD } from '../test-data/test-data.js'

const FIXED: StoredCard = { ...FIXED_SAVED_CARD, isActive: true }

/**
 * Saved cards of the sandbox. Every payer of a store has the fixed card, which a deletion answers
 * for and does not remove, and which stands for every card that a check approves. Stores with their
 * payers' own cards have those of the vault.
 * @param keepsOwnCards - True for such a store.
 */
export function createSandboxStoredCards(
  vault: StoredCards & CardChecks,
  keepsOwnCards: (storeId: string) => Promise<boolean>,
): StoredCards & CardChecks {
  return {
    async checkCard(check) {
      if (await keepsOwnCards(check.merchantId)) return await vault.checkCard(check)
      const answer = await vault.checkCard({ ...check, saveCard: false })
      const isApproved = answer.kind === 'answered' && answer.outcome === 'approved'
      return isApproved ? { ...answer, savedCard: FIXED } : answer
    },
    async storedCardsOf(some) {
      if (await keepsOwnCards(some.merchantId)) return await vault.storedCardsOf(some)
      return some.after === undefined ? [FIXED] : []
    },
    async findStoredCard(card) {
      if (await keepsOwnCards(card.merchantId)) return await vault.findStoredCard(card)
      return card.code === FIXED.code ? FIXED : undefined
    },
    async deleteSavedCard(environment, merchantId, code) {
      if (await keepsOwnCards(merchantId))
        return await vault.deleteSavedCard(environment, merchantId, code)
      return code === FIXED.code
    },
  }
}

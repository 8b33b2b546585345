import type { CardAnswer, CardOrder } from '@cofre/contracts'
import type { CardPayments } from '@cofre/gateway'
import { FIXED_CARD, FIXED_SAVED_CARD } from './fixed-saved-card.js'

/**
 * Card payments as the sandbox plays them (spec section 5): a token or `save` always answers the fixed saved card, no
 * card is kept, and only the fixed card's code pays.
 */
export function createSandboxCardPayments(vault: CardPayments): CardPayments {
  return {
    async authorize(order) {
      if (order.source.kind === 'code') return payWithFixedCard(order, order.source.code)
      const answer = await vault.authorize({ ...order, saveCard: false })
      const answersCard = order.source.kind === 'token' || order.saveCard
      return answer.kind === 'answered' && answersCard
        ? { ...answer, savedCard: FIXED_SAVED_CARD }
        : answer
    },
    async recallAuthorization(environment, transactionCode) {
      const answer = await vault.recallAuthorization(environment, transactionCode)
      return answer?.kind === 'answered' ? { ...answer, savedCard: FIXED_SAVED_CARD } : answer
    },
    activateSavedCard: () => Promise.resolve(),
  }
}

function payWithFixedCard({ brand }: CardOrder, code: string): CardAnswer {
  if (code !== FIXED_SAVED_CARD.code) return { kind: 'refused', reason: 'code_not_found' }
  if (brand !== undefined && brand !== FIXED_CARD.brand)
    return { kind: 'refused', reason: 'brand_mismatch' }
  return { kind: 'answered', outcome: 'approved', card: FIXED_CARD }
}

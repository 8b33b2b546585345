import type { CardAnswer } from '@cofre/contracts'
import type { LearntCard } from '../transaction/transaction.js'

/** The vault's answer to an order that it did not refuse. */
export type AnsweredCard = Extract<CardAnswer, { kind: 'answered' }>

/** The facts in the answer about the card and its charge. */
export function learntCard(answer: AnsweredCard): LearntCard {
  const { card, savedCard, charge, decline, authentication } = answer
  const authenticationUntilMs = authentication?.expiresAtMs
  const hasDetails = [charge, decline, authentication].some((detail) => detail !== undefined)
  return {
    subType: card.brand,
    savedCard,
    cardBin: card.bin,
    cardLastFour: card.lastFour,
    paymentDetails: hasDetails
      ? { kind: 'card', charge, decline, authenticationUntilMs }
      : undefined,
  }
}

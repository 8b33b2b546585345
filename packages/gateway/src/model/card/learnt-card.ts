import type { CardAnswer } from '@cofre/contracts'
import type { LearntCard } from '../transaction/transaction.js'

/** The vault's answer to an order that it did not refuse. */
export type AnsweredCard = Extract<CardAnswer, { kind: 'answered' }>

/** What it tells of the card and of its charge. */
export function learntCard({ card, savedCard, charge, decline }: AnsweredCard): LearntCard {
  const hasDetails = charge !== undefined || decline !== undefined
  return {
    subType: card.brand,
    savedCard,
    cardBin: card.bin,
    cardLastFour: card.lastFour,
    paymentDetails: hasDetails ? { kind: 'card', charge, decline } : undefined,
  }
}

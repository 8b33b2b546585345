import type { CardAnswer } from '@cofre/contracts'
import { type Capture, authorizedCapture } from '../transaction/capture.js'
import { isCapturedLater } from '../transaction/stored-request.js'
import type { LearntCard, Transaction } from '../transaction/transaction.js'

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

/**
 * The authorization that an answer reports; undefined for other answers. The answer to an order
 * that is captured later may come after its end: then a change reports that end, and nothing is
 * captured before.
 */
export function captureOf(
  order: Pick<Transaction, 'requestJson'>,
  { charge, isAuthorizedOnly, outcome }: AnsweredCard,
  atMs: number,
): Capture | undefined {
  const isAuthorized = isAuthorizedOnly === true || isCapturedLater(order)
  if (outcome !== 'approved' || !isAuthorized) return undefined
  return authorizedCapture(atMs, charge?.captureEndsAtMs)
}

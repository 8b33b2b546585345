import type { AuthorizationOutcome } from '@cofre/contracts'

/** A public test card whose number chooses the outcome of its authorization. */
export interface TestCard {
  /** PAN. Not a secret: no bank ever issued it. */
  readonly number: string
  readonly brand: string
  readonly outcome: AuthorizationOutcome
  readonly meaning: string
}

/** Any valid card that is not listed approves. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4111111111111111', brand: 'visa', outcome: 'approved', meaning: 'approved' },
  { number: '5555444433331111', brand: 'mastercard', outcome: 'approved', meaning: 'approved' },
  { number: '5066991111111118', brand: 'elo', outcome: 'approved', meaning: 'approved' },
  { number: '6062828888666688', brand: 'hipercard', outcome: 'approved', meaning: 'approved' },
  { number: '378282246310005', brand: 'amex', outcome: 'approved', meaning: 'approved' },
  { number: '36006666333344', brand: 'diners', outcome: 'approved', meaning: 'approved' },
  { number: '4000000000000002', brand: 'visa', outcome: 'declined', meaning: 'declined' },
  { number: '4000000000000010', brand: 'visa', outcome: 'review', meaning: 'held for review' },
  { number: '4000000000000028', brand: 'visa', outcome: 'pending', meaning: 'pending' },
  {
    number: '4000000000000036',
    brand: 'visa',
    outcome: 'unknown',
    meaning: 'the provider does not answer',
  },
]

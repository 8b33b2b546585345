import type { CreditCard } from '../src/credit-card.js'

export const VISA: CreditCard = {
  creditCard: '4111 1111 1111 1111',
  cvv: '123',
  expiration: { month: '12', year: '2040' },
}

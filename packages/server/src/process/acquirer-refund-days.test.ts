import { expect, it } from 'vitest'
import { acquirerRefundDays } from './acquirer-refund-days.js'

it.each([
  ['cielo', 1, 330],
  ['cielo', 12, 690],
  ['adyen', 12, undefined],
  ['of-old', 1, undefined],
])(
  'The time for refunds at %s of a sale in %i is %s days',
  async (provider, installments, days) => {
    expect(await acquirerRefundDays({ provider, brand: 'visa', installments })).toBe(days)
  },
)

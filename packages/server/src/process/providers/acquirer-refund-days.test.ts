import { describe, expect, it } from 'vitest'
import { refundDaysIn } from './acquirer-refund-days.js'

describe('The time for refunds', () => {
  it.each([
    ['cielo', 1, 330],
    ['cielo', 12, 690],
    ['adyen', 12, undefined],
    ['of-old', 1, undefined],
  ])('at %s of a sale in %i is %s days in production', async (provider, installments, days) => {
    const refundDays = refundDaysIn('production')
    expect(await refundDays?.({ provider, brand: 'visa', installments })).toBe(days)
  })

  it('is the specification’s in the sandbox', () => {
    expect(refundDaysIn('sandbox')).toBeUndefined()
  })
})

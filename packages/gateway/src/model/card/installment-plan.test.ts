import { INSTALLMENTS_MAX, minorUnits } from '@cofre/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type InstallmentTerms, installmentPlan } from './installment-plan.js'

const terms = { monthlyRate: 0.0299, interestFree: 1 }
const planOf = (amount: number, ...of: readonly InstallmentTerms[]) =>
  installmentPlan(minorUnits(amount), { terms: of, quantityMax: INSTALLMENTS_MAX })

describe('installmentPlan', () => {
  it.each([
    [10_000, 2, 10_450, 5225],
    [10_000, 3, 10_605, 3535],
    [10_000, 6, 11_070, 1845],
    [10_000, 10, 11_720, 1172],
    [10_000, 12, 12_048, 1004],
    [5990, 12, 7212, 601],
  ])('charges %i centavos in %i installments as %i, %i each', (amount, quantity, total, each) => {
    const installment = planOf(amount, terms)[quantity - 1]
    expect(installment).toEqual({
      quantity,
      totalMinor: total,
      installmentMinor: each,
      interestFree: false,
    })
  })

  it('stops before an installment of less than 5 BRL', () => {
    expect(planOf(1200, terms).map(({ quantity }) => quantity)).toEqual([1, 2])
  })

  it('offers installments of 5 BRL, and no smaller', () => {
    const plan = planOf(1000, { ...terms, interestFree: 12 })
    expect(plan.map(({ installmentMinor }) => installmentMinor)).toEqual([1000, 500])
  })

  it('always offers one payment of the amount itself', () => {
    expect(planOf(1, terms)).toEqual([
      { quantity: 1, totalMinor: 1, installmentMinor: 1, interestFree: true },
    ])
  })

  it('adds no interest to the free installments', () => {
    const plan = planOf(50_000, { ...terms, interestFree: 3 })
    expect(plan[2]).toEqual({
      quantity: 3,
      totalMinor: 50_000,
      installmentMinor: 16_667,
      interestFree: true,
    })
    expect(plan[3]?.interestFree).toBe(false)
  })

  it('offers no parts of which the last is below 5 BRL', () => {
    const free = { monthlyRate: 0, interestFree: 1 }
    expect(planOf(999, free)).toHaveLength(1)
    expect(planOf(1499, free)).toHaveLength(2)
  })

  it('asks the least of several terms for each quantity, and offers what one of them allows', () => {
    const free = { monthlyRate: 0, interestFree: 1 }
    const [, two, three] = planOf(1200, free, terms)
    expect([two?.totalMinor, three]).toEqual([1200, undefined])
    // Without interest, the third part of 14.60 is below 5 BRL; with interest, it is not.
    expect(planOf(1460, free, terms)[2]).toMatchObject({ interestFree: false })
  })

  it('goes up to what the store offers', () => {
    const plan = installmentPlan(minorUnits(100_000), { terms: [terms], quantityMax: 18 })
    expect(plan.at(-1)).toMatchObject({ quantity: 18, interestFree: false })
  })

  it('never asks for less than the amount, and for more with each installment', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (amount) => {
        const totals = planOf(amount, terms).map(({ totalMinor }) => totalMinor)
        expect(totals.every((total) => total >= amount)).toBe(true)
        expect(totals.length).toBeLessThanOrEqual(12)
      }),
    )
  })
})

import { minorUnits } from '@cofre/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Refund } from '../refund/refund.js'
import { amountShare, chargedShare } from './charged-share.js'

type Part = Pick<Refund, 'status' | 'amountMinor' | 'chargedMinor'>

const of = (amount: number, charged: number) => ({
  amountMinor: minorUnits(amount),
  chargedMinor: minorUnits(charged),
})

/** An order's amount, its card's charge with interest, and where refunds cut the amount. */
const cutOrder = fc
  .record({
    amount: fc.integer({ min: 20, max: 1_000_000 }),
    interest: fc.double({ min: 0, max: 1, noNaN: true }),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }),
  })
  .map(({ amount, interest, cuts }) => {
    const places = cuts.map((cut) => Math.round(cut * amount))
    const ends = [...new Set([...places, amount])].toSorted((a, b) => a - b)
    const parts = ends.map((end, i) => end - (ends[i - 1] ?? 0)).filter((part) => part > 0)
    return { transaction: of(amount, amount + Math.round(amount * interest)), parts }
  })

function refundAll(
  transaction: ReturnType<typeof of>,
  parts: readonly number[],
  ends: (i: number) => Part['status'] = () => 'PROCESSED',
): Part[] {
  const refunds: Part[] = []
  for (const [i, part] of parts.entries()) {
    const amountMinor = minorUnits(part)
    const chargedMinor = chargedShare(amountMinor, { transaction, refunds })
    refunds.push({ status: ends(i), amountMinor, chargedMinor })
  }
  return refunds
}

const sum = (refunds: readonly Part[]): number =>
  refunds.reduce(
    (total, { status, chargedMinor }) => total + (status === 'REJECTED' ? 0 : chargedMinor!),
    0,
  )

describe('what a refund sends of a charge with interest', () => {
  it.each([
    ['the whole', [10_000], [10_478]],
    ['a half, and the last remainder', [5_000, 5_000], [5_239, 5_239]],
    ['a third of odd centavos, rounded half up', [3_333, 3_333, 3_334], [3_492, 3_493, 3_493]],
    ['a centavo', [1, 9_999], [1, 10_477]],
  ])('is for %s', (_, parts, charged) => {
    const refunds = refundAll(of(10_000, 10_478), parts)
    expect(refunds.map(({ chargedMinor }) => chargedMinor)).toEqual(charged)
  })

  it('rounds the first part half up', () => {
    const transaction = of(1_000, 1_250)
    expect(chargedShare(minorUnits(2), { transaction, refunds: [] })).toBe(3)
  })

  it('sums to the charge, and is a centavo from the share of each part at most', () => {
    fc.assert(
      fc.property(cutOrder, ({ transaction, parts }) => {
        const refunds = refundAll(transaction, parts)
        expect(sum(refunds)).toBe(transaction.chargedMinor)
        for (const { amountMinor, chargedMinor } of refunds) {
          const share = (amountMinor * transaction.chargedMinor) / transaction.amountMinor
          expect(Math.abs(chargedMinor! - share)).toBeLessThanOrEqual(1)
          expect(chargedMinor).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('sums to the charge when some were rejected and requested again', () => {
    fc.assert(
      fc.property(cutOrder, fc.array(fc.boolean()), ({ transaction, parts }, rejected) => {
        const isRejected = (i: number): boolean => rejected[i] === true
        const first = refundAll(transaction, parts, (i) =>
          isRejected(i) ? 'REJECTED' : 'PROCESSED',
        )
        const again = first.filter(({ status }) => status === 'REJECTED')
        const refunds = [...first]
        for (const { amountMinor } of again)
          refunds.push({
            status: 'PROCESSED',
            amountMinor,
            chargedMinor: chargedShare(amountMinor, { transaction, refunds }),
          })
        expect(sum(refunds)).toBe(transaction.chargedMinor)
      }),
    )
  })

  it('is the amount where there is no interest', () => {
    const refunds: Part[] = [{ status: 'PROCESSED', ...of(30, 30) }]
    expect(chargedShare(minorUnits(70), { transaction: of(100, 100), refunds })).toBe(70)
  })

  it('counts a refund from before shares were kept as it was', () => {
    const earlier: Part = {
      status: 'PROCESSED',
      amountMinor: minorUnits(50),
      chargedMinor: undefined,
    }
    expect(chargedShare(minorUnits(50), { transaction: of(100, 110), refunds: [earlier] })).toBe(60)
  })
})

describe('the amount of a part of the charge that was returned at the acquirer', () => {
  it('is all of the order when all of the charge has gone back', () => {
    fc.assert(
      fc.property(cutOrder, ({ transaction, parts }) => {
        const refunds = refundAll(transaction, parts.slice(0, -1))
        const left = minorUnits(transaction.chargedMinor - sum(refunds))
        const shared = { transaction, refunds }
        const before = refunds.reduce((total, { amountMinor }) => total + amountMinor, 0)
        expect(amountShare(left, shared)).toBe(transaction.amountMinor - before)
      }),
    )
  })

  it('is never more than is left', () => {
    const transaction = of(100, 120)
    const refunds: Part[] = [{ status: 'PROCESSED', ...of(90, 108) }]
    expect(amountShare(minorUnits(60), { transaction, refunds })).toBe(10)
  })
})

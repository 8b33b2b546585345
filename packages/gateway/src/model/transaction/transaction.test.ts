import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawTransactionCode, transactionCodeSchema } from './transaction.js'

describe('drawTransactionCode', () => {
  it('is a decimal number of at most 15 digits until 2056', () => {
    const last = drawTransactionCode(Date.UTC(2056, 0, 1), (limit) => limit - 1)
    expect(String(last)).toMatch(/^\d{15}$/)
    expect(transactionCodeSchema.parse(String(last))).toBe(last)
  })

  it('is ordered by the hundredth of a second it was drawn in', () => {
    const step = fc.integer({ min: 0, max: 90_000_000_000 })
    const random = fc.nat(9999)
    fc.assert(
      fc.property(step, random, random, (s, a, b) => {
        const startMs = Date.UTC(2025, 0, 2) + s * 10
        expect(drawTransactionCode(startMs, () => a)).toBeLessThan(
          drawTransactionCode(startMs + 10, () => b),
        )
      }),
    )
  })
})

describe('transactionCodeSchema', () => {
  it.each(['', '0', '01', 'abc', '-1', '1.5', '1234567890123456', '1e3', ' 1', '１２'])(
    'refuses %j',
    (text) => {
      expect(transactionCodeSchema.safeParse(text).success).toBe(false)
    },
  )
})

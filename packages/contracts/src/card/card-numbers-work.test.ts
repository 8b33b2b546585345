import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as brands from './brand.js'
import * as rules from './card-rules.js'
import { holdsCardDigits, maskCardNumbers } from './card-numbers-in-text.js'

vi.mock('./brand.js', { spy: true })
vi.mock('./card-rules.js', { spy: true })

/** Every digit begins what might be a card's number, and no number there is one. */
const BEGINNINGS = 10_000

describe('the search for card numbers', () => {
  beforeEach(() => {
    vi.clearAllMocks()
  })

  it.each(['4-', '4 ', '5,', '4\u200b', '٤-', '4 a ', '36 ', '41 '])(
    'looks at few numbers of a text of nothing but %j',
    (unit) => {
      const text = unit.repeat(BEGINNINGS)
      expect(maskCardNumbers(text)).toBe(text)
      expect(looks()).toBeLessThan(BEGINNINGS / 100)
    },
  )

  it('looks at few numbers of a row of digits', () => {
    expect(holdsCardDigits('4'.repeat(BEGINNINGS))).toBe(false)
    expect(looks()).toBe(0)
  })
})

function looks(): number {
  const asked = [brands.brandOf, rules.isCardNumber, rules.passesLuhn]
  return asked.reduce((sum, each) => sum + vi.mocked(each).mock.calls.length, 0)
}

import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdsCardDigits, maskCardNumbers } from './card-numbers-in-text.js'

/** Every digit could begin a card number, but the text contains none. */
const BEGINNINGS = 10_000

describe('the search for card numbers', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each(['4-', '4 ', '5,', '4\u200b', '٤-', '4 a ', '36 ', '41 '])(
    'looks at few numbers of a text of nothing but %j',
    (unit) => {
      const text = unit.repeat(BEGINNINGS)
      const replaceAll = vi.spyOn(String.prototype, 'replaceAll')
      const masked = maskCardNumbers(text)
      const looks = replaceAll.mock.calls.length
      expect(masked).toBe(text)
      expect(looks).toBeLessThan(BEGINNINGS / 100)
    },
  )

  it('cuts nothing out of a row of digits', () => {
    const row = '4'.repeat(BEGINNINGS)
    const slice = vi.spyOn(String.prototype, 'slice')
    const holds = holdsCardDigits(row)
    const cuts = slice.mock.calls.length
    expect([holds, cuts]).toEqual([false, 0])
  })
})

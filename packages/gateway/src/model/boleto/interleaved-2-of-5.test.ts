import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interleaved2of5 } from './interleaved-2-of-5.js'

/** One character for each module: a bar, or the space between two. */
function draw(digits: string): string {
  const { bars, modules } = interleaved2of5(digits)
  const row = new Array<string>(modules).fill(' ')
  for (const { start, width } of bars) row.fill('#', start, start + width)
  return row.join('')
}

describe('interleaved2of5', () => {
  it('draws 44 digits in 405 modules', () => {
    const { bars, modules } = interleaved2of5('03391166700000123459123456700000000000190101')
    expect(modules).toBe(405)
    expect(bars).toHaveLength(2 + 22 * 5 + 2)
  })

  it.each([
    // Start, 3 in the bars (wwnnn) and 8 in the spaces (wnnwn), stop: the example of ISO/IEC 16390.
    ['38', '# # ###   ### # #   # ### #'],
    ['00', '# # # # ###   ###   # ### #'],
    ['12', '# # ### #   # # ###   ### #'],
  ])('draws %s', (digits, modules) => {
    expect(draw(digits)).toBe(modules)
  })

  it('starts and ends in a bar, with wide elements of three modules', () => {
    const pairs = fc.stringMatching(/^(\d\d){1,30}$/)
    fc.assert(
      fc.property(pairs, (digits) => {
        const row = draw(digits)
        expect(row).toMatch(/^# # /)
        expect(row).toMatch(/### #$/)
        // Four narrow; two wide and three narrow for each digit; one wide and two narrow.
        expect(row).toHaveLength(4 + digits.length * 9 + 5)
        for (const [element] of row.matchAll(/#+| +/g)) expect([1, 3]).toContain(element.length)
      }),
    )
  })

  it('draws different digits differently', () => {
    const pairs = Array.from({ length: 100 }, (_, i) => draw(String(i).padStart(2, '0')))
    expect(new Set(pairs).size).toBe(100)
  })

  it.each(['', '1', '123', '0'.repeat(43), '1a', ' 12', '12\n', '１２', '-1'])(
    'refuses %j',
    (digits) => {
      expect(() => interleaved2of5(digits)).toThrow(RangeError)
    },
  )
})

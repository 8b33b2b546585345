import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorBy } from './cursor.js'

const LINES = cursorBy({ day: 'integer', file: 'bigint', line: 'integer' })
const LINKS = cursorBy({ createdAtMs: 'bigint', id: 'text' })

describe('the cursor of a list', () => {
  it('is its parts with hyphens between them', () => {
    expect(LINES.of({ day: 20_414, file: 59_572_800_008_684, line: 7 })).toBe(
      '20414-59572800008684-7',
    )
    expect(LINKS.of({ createdAtMs: 1, id: 'a-b_c--' })).toBe('1-a-b_c--')
  })

  it('is read as it was made, whatever its parts are', () => {
    const integers = fc.nat({ max: 2 ** 31 - 1 })
    const bigints = fc.maxSafeNat()
    fc.assert(
      fc.property(integers, bigints, integers, (day, file, line) => {
        expect(LINES.read(LINES.of({ day, file, line }))).toEqual({ day, file, line })
      }),
    )
    const texts = fc.string({ minLength: 1 }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(bigints, texts, (createdAtMs, id) => {
        expect(LINKS.read(LINKS.of({ createdAtMs, id }))).toEqual({ createdAtMs, id })
      }),
    )
  })

  it.each([
    [undefined],
    [''],
    ['1-2'],
    ['1-2-3-4'],
    ['1--3'],
    ['-1-2-3'],
    ['1-2-x'],
    ['1-2-3.5'],
    ['1-2-1e3'],
    ['1-2- 3'],
    ['1-2-03'],
    ['1-2-NaN'],
    ['1-2-Infinity'],
    ['2147483648-2-3'],
    ['1-9007199254740992-3'],
    ['1-2-2147483648'],
  ])('of three numbers is not %j', (text) => {
    expect(LINES.read(text)).toBeUndefined()
  })

  it.each([[''], ['1'], ['1-'], ['x-a'], ['1-a\0']])('with a text is not %j', (text) => {
    expect(LINKS.read(text)).toBeUndefined()
  })
})

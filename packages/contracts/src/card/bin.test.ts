import { describe, expect, it } from 'vitest'
import { binOf, maskedCard, shownBin } from './bin.js'
import { CARD_BRANDS } from './brand.js'

const [amex, diners, visa] = ['amex', 'diners', 'visa'].map((name) =>
  CARD_BRANDS.find((brand) => brand.name === name)!,
)

describe('the BIN', () => {
  it.each([
    ['4111111111111111', '41111111'],
    ['378282246310005', '378282'],
    ['30569309025904', '305693'],
    ['4222222222222', '422222'],
    ['6062825624254001000', '606282'],
  ])('of %s is %s: eight digits of a number of 16, six of all others', (number, bin) => {
    expect(binOf(number)).toBe(bin)
  })

  it.each([
    ['411111', visa, '411111'],
    ['4111111', visa, '411111'],
    ['41111111', visa, '41111111'],
    ['411111111111', visa, '41111111'],
    ['3056930902', diners, '30569309'],
    ['37828224', amex, '378282'],
  ])('that is asked for as %s is shown as %s', (digits, brand, shown) => {
    expect(shownBin(digits, brand!)).toBe(shown)
  })

  it('precedes stars and the last four digits', () => {
    expect(maskedCard('41111111', '1111')).toBe('41111111****1111')
    expect(maskedCard('411111', '1111')).toBe('411111******1111')
  })
})

import { expect, it } from 'vitest'
import { readAmount } from './amount-field.js'

it.each([
  ['42,50', 4_250],
  ['R$ 1.234,5', 123_450],
  ['1,234.56', 123_456],
  ['BRL 42.50', 4_250],
  ['1.234', 123_400],
  ['42', 4_200],
  ['42,505', undefined],
  ['1,234', undefined],
  ['-42', undefined],
  ['forty', undefined],
  ['99999999999999', undefined],
])('the amount %s is read as %s centavos', (typed, centavos) => {
  expect(readAmount(typed)).toBe(centavos)
})

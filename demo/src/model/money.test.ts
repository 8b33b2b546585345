import { expect, it } from 'vitest'
import { toCentavos, toReais } from './money.js'

it.each([
  [1, 0.01],
  [20, 0.2],
  [1290, 12.9],
  [19870, 198.7],
  [1000000, 10000],
])('sends %i centavos as %d', (centavos, reais) => {
  expect(toReais(centavos)).toBe(reais)
  expect(toCentavos(reais)).toBe(centavos)
})

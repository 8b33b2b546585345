import { expect, it } from 'vitest'
import { parseReais, toCentavos, toReais } from './money.js'

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

it.each([
  ['42.90', 4290],
  ['42,9', 4290],
  [' 42 ', 4200],
  ['0,01', 1],
  ['1.234,50', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['12,345', undefined],
  ['', undefined],
])('reads %j as %s', (text, centavos) => {
  expect(parseReais(text)).toBe(centavos)
})

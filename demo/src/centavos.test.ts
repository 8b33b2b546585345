import { expect, it } from 'vitest'
import { formatCentavos, parseReais, toReais } from './centavos.js'

it.each([
  [1, 0.01],
  [20, 0.2],
  [1290, 12.9],
  [19870, 198.7],
  [1000000, 10000],
])('sends %i centavos as %d', (centavos, reais) => {
  expect(toReais(centavos)).toBe(reais)
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

it('writes an amount as each language does', () => {
  expect(formatCentavos(123450, 'pt-BR').replaceAll(/\s/g, ' ')).toBe('R$ 1.234,50')
  expect(formatCentavos(123450, 'en-US')).toBe('R$1,234.50')
})

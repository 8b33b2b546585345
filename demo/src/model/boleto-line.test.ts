import { expect, it } from 'vitest'
import { boletoDueDate, printedLine } from './boleto-line.js'

const lineOf = (factor: string): string => `${'0'.repeat(33)}${factor}0000010000`

it.each([
  ['2025-02-21', '9999', '2025-02-20'],
  ['2025-02-22', '1000', '2025-02-19'],
  ['2026-11-24', '1640', '2026-11-21'],
  ['2000-07-03', '1000', '2000-07-01'],
])('reads %s from the factor %s of a boleto made on %s', (dueDate, factor, madeOn) => {
  expect(boletoDueDate(lineOf(factor), Date.parse(madeOn))).toBe(dueDate)
})

it('reads nothing from what is no digitable line', () => {
  expect(boletoDueDate('123', 0)).toBeUndefined()
  expect(boletoDueDate(lineOf('0000'), Date.UTC(2026, 0, 1))).toBeUndefined()
})

it('prints a line in its groups', () => {
  expect(printedLine('03399000090000019010810000001015412340000010000')).toBe(
    '03399.00009 00000.190108 10000.001015 4 12340000010000',
  )
})

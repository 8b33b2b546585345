// Barcode and digitable line of a boleto: FEBRABAN's layout, Carta-Circular BCB 2.926/2000.
import type { MinorUnits } from '@cofre/contracts'
import { dueFactor } from './due-factor.js'

/** What a boleto's barcode says. */
export interface BoletoFields {
  /** Three digits of the issuing bank. */
  readonly bank: string
  /** `YYYY-MM-DD`. */
  readonly dueDate: string
  /** Less than 100 million BRL. */
  readonly amountMinor: MinorUnits
  /** The bank's own 25 digits. */
  readonly freeField: string
}

const CURRENCY_BRL = '9'
const AMOUNT_DIGITS = 10

/** The 44 digits of the barcode. @throws RangeError when a field does not fit */
export function boletoBarcode({ bank, dueDate, amountMinor, freeField }: BoletoFields): string {
  const amount = String(amountMinor).padStart(AMOUNT_DIGITS, '0')
  if (!/^\d{3}$/.test(bank) || amount.length > AMOUNT_DIGITS || !/^\d{25}$/.test(freeField)) {
    throw new RangeError('a field does not fit a boleto')
  }
  const start = bank + CURRENCY_BRL
  const rest = dueFactor(dueDate) + amount + freeField
  return start + barcodeCheckDigit(start + rest) + rest
}

/** The 47 digits that a person types instead of the barcode. */
export function digitableLine(barcode: string): string {
  const freeField = barcode.slice(19)
  const first = barcode.slice(0, 4) + freeField.slice(0, 5)
  const fields = [first, freeField.slice(5, 15), freeField.slice(15)]
  const checkDigit = barcode.slice(4, 5)
  const factorAndAmount = barcode.slice(5, 19)
  return (
    fields.map((field) => field + fieldCheckDigit(field)).join('') + checkDigit + factorAndAmount
  )
}

/** The line as boletos print it: `AAAAA.AAAAA BBBBB.BBBBBB CCCCC.CCCCCC D EEEEEEEEEEEEEE`. */
export function printedLine(line: string): string {
  return line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8')
}

/** Modulus 11 with weights 2 to 9 from the right; 0, 10 and 11 become 1. */
function barcodeCheckDigit(digits: string): string {
  const digit = 11 - (weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9]) % 11)
  return String(digit > 9 ? 1 : digit)
}

/** Modulus 10 with weights 2 and 1 from the right, the digits of each product added up. */
function fieldCheckDigit(digits: string): string {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const product = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return String((10 - (sum % 10)) % 10)
}

/** The digits times the weights, from the right, the weights over and over. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    sum += Number(digits[digits.length - 1 - i]) * (weights[i % weights.length] ?? 0)
  }
  return sum
}

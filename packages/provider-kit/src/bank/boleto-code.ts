import { DAY_MS, type MinorUnits } from '@cofre/contracts'

// Barcode and digitable line of a boleto: FEBRABAN's layout, Carta-Circular BCB 2.926/2000.

/** The bank's part of a registered boleto. */
export interface RegisteredBoleto {
  /** Three digits. */
  readonly bank: string
  /** The bank's own 25 digits of the barcode. */
  readonly freeField: string
}

/** The content of a boleto's barcode. */
export interface BoletoFields extends RegisteredBoleto {
  /** `YYYY-MM-DD`. */
  readonly dueDate: string
  /** Less than 100 million BRL. */
  readonly amountMinor: MinorUnits
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

/** The 44 digits that a line encodes; its check digits are not verified. */
export function barcodeOfLine(line: string): string {
  const freeField = line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)
  return line.slice(0, 4) + line.slice(32) + freeField
}

/** The printed form of a line: `AAAAA.AAAAA BBBBB.BBBBBB CCCCC.CCCCCC D EEEEEEEEEEEEEE`. */
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

/** The sum of the digits times the weights, from the right; the weights repeat. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    sum += Number(digits[digits.length - 1 - i]) * (weights[i % weights.length] ?? 0)
  }
  return sum
}

/**
 * FEBRABAN's day zero, 1997-10-07. Factor 9999 was 2025-02-21; the next day began again at 1000.
 */
const DAY_ZERO_MS = Date.UTC(1997, 9, 7)
const FACTOR_MIN = 1000
const FACTOR_MAX = 9999

/**
 * The due-date factor of a boleto's barcode, four digits.
 * @param dueDate - `YYYY-MM-DD`, from 2000-07-03 on.
 * @throws RangeError for an earlier day
 */
export function dueFactor(dueDate: string): string {
  const days = Math.round((Date.parse(`${dueDate}T00:00:00Z`) - DAY_ZERO_MS) / DAY_MS)
  if (!(days >= FACTOR_MIN)) throw new RangeError(`no due-date factor for ${dueDate}`)
  const cycle = FACTOR_MAX - FACTOR_MIN + 1
  return String(FACTOR_MIN + ((days - FACTOR_MIN) % cycle))
}

/**
 * Santander's part of the barcode: fixed 9, beneficiary, our number with its check digit, IOF 0,
 * portfolio 101.
 */
export interface SantanderSlip {
  /** Seven digits of the agreement with the bank. */
  readonly beneficiary: string
  /** The slip's own number at the bank, at most twelve digits. */
  readonly ourNumber: string
}

const PORTFOLIO = '101'

/** The 25 digits of the free field. @throws RangeError when a number does not fit */
export function santanderFreeField({ beneficiary, ourNumber }: SantanderSlip): string {
  const number = ourNumber.padStart(12, '0')
  if (!/^\d{7}$/.test(beneficiary) || !/^\d{12}$/.test(number)) {
    throw new RangeError('a number does not fit the free field')
  }
  return `9${beneficiary}${number}${ourNumberCheckDigit(number)}0${PORTFOLIO}`
}

/** Modulus 11 with weights 2 to 9 from the right; 10 and 11 become 0. */
function ourNumberCheckDigit(number: string): string {
  const digit = 11 - (weightedSum(number, [2, 3, 4, 5, 6, 7, 8, 9]) % 11)
  return String(digit > 9 ? 0 : digit)
}

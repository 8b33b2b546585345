import { weightedSum } from './boleto-code.js'

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

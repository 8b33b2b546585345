import type { CardBrand } from './brand.js'

/** A BIN has eight digits (ISO/IEC 7812-1:2017). */
const DIGITS = 8
/** Of cards whose number has not 16 digits PCI DSS shows so many. */
const DIGITS_OF_OTHERS = 6
const USUAL_LENGTH = 16

/** What is shown and kept of a card's number beside its last four digits. */
export function binOf(number: string): string {
  return number.slice(0, number.length === USUAL_LENGTH ? DIGITS : DIGITS_OF_OTHERS)
}

/** What is shown of the digits with which cards of the brand begin. */
export function shownBin(digits: string, { lengths }: CardBrand): string {
  const isLong = digits.length >= DIGITS && lengths.includes(USUAL_LENGTH)
  return digits.slice(0, isLong ? DIGITS : DIGITS_OF_OTHERS)
}

/** `41111111****1111`; of a number of another length than 16, its stars do not say how many. */
export function maskedCard(bin: string, lastFour: string): string {
  const stars = bin.length === DIGITS ? USUAL_LENGTH - DIGITS - lastFour.length : DIGITS_OF_OTHERS
  return `${bin}${'*'.repeat(stars)}${lastFour}`
}

import type { CardBrand } from './brand.js'

/** ISO/IEC 7812-1:2017. */
const DIGITS = 8
/** Length of the BIN that PCI DSS allows to be shown for numbers of other lengths than 16. */
const DIGITS_OF_OTHERS = 6
const USUAL_LENGTH = 16

/** BIN of a card's number, for display and storage beside its last four digits. */
export function binOf(number: string): string {
  return number.slice(0, number.length === USUAL_LENGTH ? DIGITS : DIGITS_OF_OTHERS)
}

/** The part of a brand's first digits that may be shown. */
export function shownBin(digits: string, { lengths }: CardBrand): string {
  const isLong = digits.length >= DIGITS && lengths.includes(USUAL_LENGTH)
  return digits.slice(0, isLong ? DIGITS : DIGITS_OF_OTHERS)
}

/**
 * `41111111****1111`. For numbers of other lengths than 16, the count of stars is not the real one.
 */
export function maskedCard(bin: string, lastFour: string): string {
  const stars = bin.length === DIGITS ? USUAL_LENGTH - DIGITS - lastFour.length : DIGITS_OF_OTHERS
  return `${bin}${'*'.repeat(stars)}${lastFour}`
}

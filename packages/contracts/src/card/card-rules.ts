import { type CardBrand, brandOf } from './brand.js'

/** A card as the shopper typed it, without spaces and dashes. */
export interface CardDetails {
  /** PAN, digits only. */
  readonly number: string
  readonly cvv: string
  /** `01` to `12`. */
  readonly month: string
  /** Four digits. */
  readonly year: string
}

export type CardField = keyof CardDetails

/** ISO/IEC 7812-1 Annex B. */
export function passesLuhn(digits: string): boolean {
  // A loop, because the search for card numbers runs this at each digit of a text.
  let sum = 0
  let left = digits.length
  for (const character of digits) {
    const digit = Number(character)
    // The digit sum of a doubled digit is its remainder by nine; only nine gives nine.
    sum += left % 2 === 1 ? digit : (digit * 2) % 9 || digit
    left -= 1
  }
  return sum % 10 === 0
}

/** True if the PAN has a length of its brand and, if the brand uses one, a valid check digit. */
export function isCardNumber(number: string, brand: CardBrand | undefined): boolean {
  return (
    brand?.lengths.includes(number.length) === true &&
    /^\d+$/.test(number) &&
    (!brand.luhn || passesLuhn(number))
  )
}

/** True if the digits may be a security code of the brand, or of any brand. */
export function isSecurityCode(digits: string, brand?: CardBrand): boolean {
  return /^\d{3,4}$/.test(digits) && (!brand || digits.length === brand.cvvSize)
}

function isMonth(month: string): boolean {
  return /^(0[1-9]|1[0-2])$/.test(month)
}

/** True if a card of this year and month has not expired. */
function isYearAhead(year: string, month: string, nowMs: number): boolean {
  return (
    /^\d{4}$/.test(year) &&
    // The first moment of the next month at UTC-12, the last time zone to reach it.
    Date.UTC(Number(year), Number(month), 1, 12) > nowMs &&
    Date.UTC(Number(year) - 20, 0) <= nowMs
  )
}

/** True until the month's last day ends everywhere on Earth; 20 years ahead is a typing error. */
export function isExpiryAhead(month: string, year: string, nowMs: number): boolean {
  return isMonth(month) && isYearAhead(year, month, nowMs)
}

/** All wrong fields; empty if the card may be sent. */
export function wrongCardFields(card: CardDetails, nowMs: number): CardField[] {
  const { number, cvv, month, year } = card
  const brand = brandOf(number)
  const isRight: Readonly<Record<CardField, boolean>> = {
    number: isCardNumber(number, brand),
    cvv: isSecurityCode(cvv, brand),
    month: isMonth(month),
    year: isYearAhead(year, isMonth(month) ? month : '12', nowMs),
  }
  return (Object.keys(isRight) as CardField[]).filter((field) => !isRight[field])
}

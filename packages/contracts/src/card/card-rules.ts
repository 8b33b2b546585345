import { type CardBrand, brandOf } from './brand.js'

/** A card as the shopper typed it, already without spaces and dashes. */
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
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Whether the PAN has a length of its brand and, where the brand uses one, a right check digit. */
export function isCardNumber(number: string, brand: CardBrand | undefined): boolean {
  return (
    /^\d+$/.test(number) &&
    brand !== undefined &&
    brand.lengths.includes(number.length) &&
    (!brand.luhn || passesLuhn(number))
  )
}

/** A card is good to its month's last day, anywhere on Earth; 20 years ahead is a typing error. */
export function isExpiryAhead(month: string, year: string, nowMs: number): boolean {
  if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^\d{4}$/.test(year)) return false
  // The first moment of the following month at UTC-12, the last time zone to reach it.
  const endMs = Date.UTC(Number(year), Number(month), 1, 12)
  return endMs > nowMs && Number(year) <= new Date(nowMs).getUTCFullYear() + 20
}

/** The fields that are wrong, all at once; empty when the card may be sent. */
export function wrongCardFields(card: CardDetails, nowMs: number): CardField[] {
  const brand = brandOf(card.number)
  const wrong: CardField[] = []
  if (!isCardNumber(card.number, brand)) wrong.push('number')
  const cvvSize = brand?.cvvSize ?? card.cvv.length
  if (!/^\d{3,4}$/.test(card.cvv) || card.cvv.length !== cvvSize) wrong.push('cvv')
  const isMonth = /^(0[1-9]|1[0-2])$/.test(card.month)
  if (!isMonth) wrong.push('month')
  if (!isExpiryAhead(isMonth ? card.month : '12', card.year, nowMs)) wrong.push('year')
  return wrong
}

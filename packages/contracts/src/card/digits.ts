import { BRAND_RANGES, CARD_BRANDS, type CardBrand } from './brand.js'

// Checks for a number at any position in a row of digits. Each check takes constant time, so that
// the time for a long row depends only on its length.

export interface Digits {
  readonly values: Uint8Array
  /** Luhn sums of the digits before each: with every even one doubled, and with every odd one. */
  readonly sums: readonly [even: Int32Array, odd: Int32Array]
}

const ZERO = 0x30
const NINE = 0x39

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** All digits of a text, whatever separates them. */
export function digitsOf(text: string): Digits {
  const count = countDigits(text)
  const values = new Uint8Array(count)
  const even = new Int32Array(count + 1)
  const odd = new Int32Array(count + 1)
  for (let place = 0, at = 0; at < count; place++) {
    const code = text.charCodeAt(place)
    if (!isDigit(code)) continue
    const digit = code - ZERO
    // The digit sum of a doubled digit is its remainder by nine; only nine gives nine.
    const doubled = digit === 9 ? 9 : (digit * 2) % 9
    values[at] = digit
    even[at + 1] = (even[at] ?? 0) + (at % 2 === 0 ? doubled : digit)
    odd[at + 1] = (odd[at] ?? 0) + (at % 2 === 0 ? digit : doubled)
    at += 1
  }
  return { values, sums: [even, odd] }
}

function countDigits(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if (isDigit(text.charCodeAt(at))) count += 1
  return count
}

/** `passesLuhn` for the digits of this range. */
export function hasCheckDigit({ sums: [even, odd] }: Digits, from: number, to: number): boolean {
  // The last digit counts once, the one before it double.
  const sums = to % 2 === 0 ? even : odd
  return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0
}

/** Length of the longest prefix of a brand. */
const PREFIX_DIGITS = 6
/** Brand of each prefix, as its place in the table, counted from one. */
const BRAND_OF_PREFIX = brandsOfPrefixes()

function brandsOfPrefixes(): Uint8Array {
  const brands = new Uint8Array(10 ** PREFIX_DIGITS)
  // The first of several matching ranges counts.
  for (const [first, last, brand] of BRAND_RANGES.toReversed())
    brands.fill(
      CARD_BRANDS.indexOf(brand) + 1,
      Number(first.padEnd(PREFIX_DIGITS, '0')),
      Number(last.padEnd(PREFIX_DIGITS, '9')) + 1,
    )
  return brands
}

/** `brandOf` for the number that begins here. */
export function brandAt({ values }: Digits, from: number): CardBrand | undefined {
  let prefix = 0
  for (let at = from; at < from + PREFIX_DIGITS; at++) prefix = prefix * 10 + (values[at] ?? 0)
  return CARD_BRANDS[(BRAND_OF_PREFIX[prefix] ?? 0) - 1]
}

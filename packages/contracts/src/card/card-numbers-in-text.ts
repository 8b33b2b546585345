import { isCnpj } from '../value/document.js'
import { type CardBrand, brandOf } from './brand.js'
import { isCardNumber } from './card-rules.js'

// Brand, length and check digit must all fit before a number in a text is taken for a card's.
// Hipercard has no check digit: its prefixes of six digits say as much as one. The work grows with
// the text, because from each group of digits only so many are looked at as a card number has
// digits.

/** Hides the last digits too: they may be a security code written behind the number. */
const MASK = '************'

const DIGIT = /[\d\uff10-\uff19]/
const DIGITS_MIN = 13
const DIGITS_MAX = 19
/** E.164. */
const PHONE_DIGITS_MAX = 15

/** What no person sees may stand between two groups, or within one. */
const UNSEEN = /\p{Cf}/u
const GROUPS = /\d+/g
const GROUPS_WITH_UNSEEN = /\d+(?:\p{Cf}{1,3}\d+)*/gu

/** What may stand between two groups of digits of one number. */
const BREAK = /^[\s.,:;_/|*·•\u2212\p{Pd}\p{Cf}]{1,3}$/u
const BREAK_LENGTH_MAX = 3

/**
 * How card numbers are written, besides unbroken and digit by digit. Other groups are those of
 * dates, phones, sizes and boletos.
 */
const GROUPINGS: ReadonlySet<string> = new Set([
  '4-4-4-4',
  '4-4-4-4-3',
  '4-4-4-3',
  '4-4-4-2',
  '4-6-4',
  '4-6-5',
  '8-8',
])

/** MD5, SHA-1, SHA-256, UUID: one SHA-256 of 2,500 has a card number in it by chance. */
const DIGEST =
  /(?<![0-9a-z])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/gi

/** Where something stands in a text. */
interface Place {
  readonly start: number
  readonly end: number
}

interface DigitGroup extends Place {
  readonly digits: string
  /** Whether the number of the group before may go on with it. */
  readonly goesOn: boolean
}

/** The text with a mask in the place of every card number. */
export function maskCardNumbers(text: string): string {
  let masked = ''
  let end = 0
  for (const place of cardNumbersIn(text)) {
    masked += text.slice(end, place.start) + MASK
    end = place.end
  }
  return masked + text.slice(end)
}

/** Whether there is a card number in the text. */
export function holdsCardNumber(text: string): boolean {
  return cardNumbersIn(text).length > 0
}

function cardNumbersIn(written: string): Place[] {
  // Most texts of a request, and it has many.
  if (written.length < DIGITS_MIN || !DIGIT.test(written)) return []
  const plain = withPlainDigits(written)
  const text = plain.replaceAll(DIGEST, (digest) => 'x'.repeat(digest.length))
  const plainly = placesIn(text, GROUPS)
  if (!UNSEEN.test(text)) return plainly
  return joined([...plainly, ...placesIn(text, GROUPS_WITH_UNSEEN)])
}

/** In order, and those that overlap as one. */
function joined(places: readonly Place[]): Place[] {
  const found: Place[] = []
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    const last = found.at(-1)
    if (last === undefined || last.end <= start) found.push({ start, end })
    else found[found.length - 1] = { start: last.start, end: Math.max(last.end, end) }
  }
  return found
}

function placesIn(text: string, written: RegExp): Place[] {
  const groups = digitGroups(text, written)
  const found: Place[] = []
  for (const [index, { start }] of groups.entries()) {
    if (start < (found.at(-1)?.end ?? 0)) continue
    const hasPlus = text[start - 1] === '+'
    const end = endOfCardNumber(groups.slice(index, index + DIGITS_MAX), hasPlus)
    if (end !== undefined) found.push({ start, end })
  }
  return found
}

/** A request's target as it was meant: no card number hides behind percent-encoding in it. */
export function decodedTarget(target: string): string {
  const spaced = target.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
  }
}

/** ASCII digits for full-width ones; the length stays, so places in both texts agree. */
export function withPlainDigits(text: string): string {
  return text.replaceAll(/[\uff10-\uff19]/g, (digit) => digit.normalize('NFKC'))
}

function digitGroups(text: string, pattern: RegExp): DigitGroup[] {
  let end = 0
  return Array.from(text.matchAll(pattern), ({ 0: written, index: start }) => {
    const goesOn = start - end <= BREAK_LENGTH_MAX && BREAK.test(text.slice(end, start))
    end = start + written.length
    return { start, end, digits: written.replaceAll(/\D/g, ''), goesOn }
  })
}

/** Where the longest card number ends that begins with the first group. */
function endOfCardNumber(groups: readonly DigitGroup[], hasPlus: boolean): number | undefined {
  let found: number | undefined
  let number = ''
  let brand: CardBrand | undefined
  const sizes: number[] = []
  for (const { digits, end, goesOn } of groups) {
    if (number !== '' && !goesOn) break
    if (number.length + digits.length > DIGITS_MAX) break
    number += digits
    sizes.push(digits.length)
    if (number.length < DIGITS_MIN || !isGrouping(sizes)) continue
    // Its first six digits have the brand.
    brand ??= brandOf(number)
    if (brand === undefined) break
    if (isCardNumber(number, brand) && !isOtherNumber(number, hasPlus)) found = end
  }
  return found
}

function isGrouping(sizes: readonly number[]): boolean {
  if (sizes.length === 1) return true
  return sizes.every((size) => size === 1) || GROUPINGS.has(sizes.join('-'))
}

/** Whether a number that could be a card's is another's for sure, or as good as. */
function isOtherNumber(number: string, hasPlus: boolean): boolean {
  return (hasPlus && number.length <= PHONE_DIGITS_MAX) || isGtin13(number) || isUsualCnpj(number)
}

/** A product's barcode (GS1). Some look like a Visa of 13 digits, which is no longer issued. */
function isGtin13(number: string): boolean {
  const parts = Array.from(number, (digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 3))
  return number.length === 13 && parts.reduce((total, part) => total + part, 0) % 10 === 0
}

/** A CNPJ of a company's first branches: some look like a Diners card of 14 digits. */
function isUsualCnpj(number: string): boolean {
  return number.startsWith('00', 8) && isCnpj(number)
}

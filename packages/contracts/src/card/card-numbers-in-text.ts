import { isCnpj } from '../value/document.js'
import { type CardBrand, brandOf } from './brand.js'
import { isCardNumber } from './card-rules.js'

// Brand, length and check digit must all fit before a number in a text is taken for a card's.
// Hipercard has no check digit: its prefixes of six digits say as much as one. The work grows with
// the text, because from each group of digits only so many are looked at as a card number has
// digits.

/** Hides the last digits too: they may be a security code written behind the number. */
const MASK = '************'

const DIGITS_MIN = 13
const DIGITS_MAX = 19
/** Of the longest prefix of a brand. */
const PREFIX_DIGITS = 6
/** E.164. */
const PHONE_DIGITS_MAX = 15

/** What no person sees may stand between two groups, or within one. */
const UNSEEN = /(?!\u2064)\p{Cf}/u
/** With what fills up digits of two halves. */
const GROUPS = /\d[\d\u2064]*/g
const GROUPS_WITH_UNSEEN = /\d[\d\u2064]*(?:(?:(?!\u2064)\p{Cf}){1,3}\d[\d\u2064]*)*/gu

/** What may separate two groups of digits of one number. */
const BREAK = /^[^\p{L}\p{N}]{1,3}$/u
/** With letters, which separate groups as cards have them printed alone. */
const LETTER_BREAK = /^[^\p{N}]{1,5}$/u
const BREAK_LENGTH_MAX = 5

/** How card numbers are written, besides unbroken, digit by digit, and in {@link isEven} groups. */
const GROUPINGS: ReadonlySet<string> = new Set([
  '4-4-4-4',
  '4-4-4-4-3',
  '4-4-4-3',
  '4-4-4-2',
  '4-6-4',
  '4-6-5',
  '8-8',
])

/** Of those and these. */
const GROUPS_MAX = 5
const GROUPINGS_WITH_LETTERS: ReadonlySet<string> = new Set(['4-4-4-4', '4-6-5', '4-6-4', '6-10'])

/** Of other groups with one break: shorter ones are those of dates, phones, sizes and documents. */
const EVEN_GROUP_MIN = 4
const EVEN_DIGITS_MIN = 15

/**
 * UUIDs, ULIDs of the years to 2074, and bytes in hex: one SHA-256 of 2,500 holds a card number by
 * chance. And the line of digits under a boleto's bars.
 */
const IDENTIFIER =
  /(?<![0-9a-z])(?:(?:[0-9a-f]{2}){12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0[12][0-9a-hjkmnp-tv-z]{24}|\d{5}[. ]?\d{5}[. ]?\d{5}[. ]?\d{6}[. ]?\d{5}[. ]?\d{6}[. ]?\d[. ]?\d{14})(?![0-9a-z])/gi

/** Between letters of so long a word nobody writes a number: txid, ULID, end-to-end id, JWE. */
const WORD_LENGTH_MIN = 26
const NO_WORD = /[^\w-]/

/** Where something stands in a text. */
interface Place {
  readonly start: number
  readonly end: number
}

interface DigitGroup extends Place {
  readonly digits: string
  /** What is between it and the group before; undefined where that is of another number. */
  readonly gap: Gap | undefined
}

interface Gap {
  readonly text: string
  readonly hasLetters: boolean
}

/** How groups are written that may be one number. */
interface Writing {
  readonly sizes: number[]
  digits: number
  sizeMin: number
  firstGap: Gap | undefined
  hasOneGap: boolean
  hasLetters: boolean
}

/** The text with a mask in the place of every card number. */
export function maskCardNumbers(text: string): string {
  return replaceCardNumbers(text, () => MASK)
}

/** The text with what is given for each card number, as it is written there, in its place. */
export function replaceCardNumbers(text: string, replacement: (written: string) => string): string {
  let replaced = ''
  let end = 0
  for (const place of cardNumbersIn(text)) {
    replaced += text.slice(end, place.start) + replacement(text.slice(place.start, place.end))
    end = place.end
  }
  return replaced + text.slice(end)
}

/** Whether there is a card number in the text. */
export function holdsCardNumber(text: string): boolean {
  return cardNumbersIn(text).length > 0
}

function cardNumbersIn(written: string): Place[] {
  // Most texts of a request, and it has many.
  if (written.length < DIGITS_MIN || !/\p{N}/u.test(written)) return []
  const plain = withPlainDigits(written)
  const text = plain.replaceAll(IDENTIFIER, (found) => 'x'.repeat(found.length))
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

function placesIn(text: string, pattern: RegExp): Place[] {
  const groups = digitGroups(text, pattern)
  const found: Place[] = []
  for (const [index, { start }] of groups.entries()) {
    if (start < (found.at(-1)?.end ?? 0)) continue
    const hasPlus = text[start - 1] === '+'
    const end = endOfCardNumber(groups, index, hasPlus)
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

/** Stands for the second half of a digit that has two in UTF-16. */
const FILLER = '\u2064'

/** ASCII digits for those of other scripts; the length stays, so places in both texts agree. */
export function withPlainDigits(text: string): string {
  return text.replaceAll(
    /(?!\d)[\p{Nd}\p{No}]/gu,
    (digit) => plainDigit(digit) + FILLER.repeat(digit.length - 1),
  )
}

/** Unicode has decimal digits in rows of ten, from zero; other numbers are not all digits. */
function plainDigit(digit: string): string {
  const composed = digit.normalize('NFKC')
  if (/^\d$/.test(composed)) return composed
  if (!isDecimal(digit)) return digit.slice(0, 1)
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (isDecimal(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

function isDecimal(character: string): boolean {
  return /^\p{Nd}$/u.test(character)
}

function digitGroups(text: string, pattern: RegExp): DigitGroup[] {
  let end = 0
  return Array.from(text.matchAll(pattern), ({ 0: written, index: start }) => {
    const gap = gapIn(text, end, start)
    end = start + written.length
    return { start, end, digits: written.replaceAll(/\D/g, ''), gap }
  })
}

function gapIn(text: string, from: number, to: number): Gap | undefined {
  if (to - from > BREAK_LENGTH_MAX) return undefined
  const gap = text.slice(from, to)
  if (BREAK.test(gap)) return { text: gap, hasLetters: false }
  const isBreak = LETTER_BREAK.test(gap) && !isInLongWord(text, from, to)
  return isBreak ? { text: gap, hasLetters: true } : undefined
}

function isInLongWord(text: string, from: number, to: number): boolean {
  const before =
    text
      .slice(Math.max(from - WORD_LENGTH_MIN, 0), from)
      .split(NO_WORD)
      .at(-1) ?? ''
  const [after = ''] = text.slice(to, to + WORD_LENGTH_MIN).split(NO_WORD, 1)
  return before.length + (to - from) + after.length >= WORD_LENGTH_MIN
}

/** Where the longest card number ends that begins with this group. */
function endOfCardNumber(
  groups: readonly DigitGroup[],
  index: number,
  hasPlus: boolean,
): number | undefined {
  let found: number | undefined
  let number = ''
  let brand: CardBrand | undefined
  const writing = newWriting()
  for (const { digits, end, gap } of groups.slice(index, index + DIGITS_MAX)) {
    if (number !== '' && gap === undefined) break
    if (number.length + digits.length > DIGITS_MAX) break
    number += digits
    addGroup(writing, digits.length, number === digits ? undefined : gap)
    // Its first six digits have the brand.
    if (brand === undefined && number.length >= PREFIX_DIGITS) {
      brand = brandOf(number)
      if (brand === undefined) break
    }
    if (number.length < DIGITS_MIN || !isGrouping(writing)) continue
    if (isCardNumber(number, brand) && !isOtherNumber(number, hasPlus)) found = end
  }
  return found
}

function newWriting(): Writing {
  return {
    sizes: [],
    digits: 0,
    sizeMin: DIGITS_MAX,
    firstGap: undefined,
    hasOneGap: true,
    hasLetters: false,
  }
}

function addGroup(writing: Writing, size: number, gap: Gap | undefined): void {
  writing.sizes.push(size)
  writing.digits += size
  writing.sizeMin = Math.min(writing.sizeMin, size)
  if (gap === undefined) return
  writing.firstGap ??= gap
  writing.hasOneGap &&= gap.text === writing.firstGap.text
  writing.hasLetters ||= gap.hasLetters
}

function isGrouping(writing: Writing): boolean {
  const { sizes, digits, hasLetters } = writing
  if (sizes.length === 1) return true
  if (!hasLetters && (sizes.length === digits || isEven(writing))) return true
  if (sizes.length > GROUPS_MAX) return false
  return (hasLetters ? GROUPINGS_WITH_LETTERS : GROUPINGS).has(sizes.join('-'))
}

/** Whether the groups are long, and the same break is between all of them. */
function isEven({ digits, sizeMin, hasOneGap }: Writing): boolean {
  return hasOneGap && digits >= EVEN_DIGITS_MIN && sizeMin >= EVEN_GROUP_MIN
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

import { isCnpj } from '../value/document.js'
import { isCardNumber } from './card-rules.js'
import { type Digits, brandAt, digitsOf, hasCheckDigit, isDigit } from './digits.js'

// A number in a text counts as a card's only if brand, length and check digit all fit. Hipercard
// has no check digit, but its six-digit prefixes are as specific as one. A text can be all digits
// and breaks, so the work at each digit only compares numbers. The text itself is read only if
// brand, length and check digit fit.

/** Hides the last digits too: they may be a security code after the number. */
const MASK = '************'

const DIGITS_MIN = 13
const ASCII_END = 0x80
/** E.164. */
const PHONE_DIGITS_MAX = 15

/** Invisible characters, which may separate two groups or split one. */
const INVISIBLE = /(?!\u2064)\p{Cf}/u
const ONLY_INVISIBLE = /^(?:(?!\u2064)\p{Cf}){1,3}$/u
const INVISIBLE_LENGTH_MAX = 6

/** Characters that may separate two groups of digits of one number. */
const BREAK = /^[^\p{L}\p{N}]{1,3}$/u
/** Breaks with letters, which separate only groups of the sizes printed on cards. */
const LETTER_BREAK = /^[^\p{N}]{1,5}$/u
const BREAK_LENGTH_MAX = 5

/** Usual groupings, besides no groups, single digits and {@link isEven} groups. */
const GROUPINGS: ReadonlySet<string> = new Set([
  '4-4-4-4',
  '4-4-4-4-3',
  '4-4-4-3',
  '4-4-4-2',
  '4-6-4',
  '4-6-5',
  '8-8',
])

const GROUPINGS_WITH_LETTERS: ReadonlySet<string> = new Set(['4-4-4-4', '4-6-5', '4-6-4', '6-10'])

/** Maximum of groups in all these groupings and in even ones. */
const GROUPS_MAX = 5

/**
 * Minimum for other groups with one kind of break: dates, phones, sizes and documents have shorter
 * groups.
 */
const EVEN_GROUP_MIN = 4
const EVEN_DIGITS_MIN = 15

/**
 * UUIDs, ULIDs of the years to 2074, bytes in hex (one SHA-256 of 2,500 contains a card number by
 * chance), and the line of digits under a boleto's bars.
 */
const IDENTIFIER =
  /(?<![0-9a-z])(?:(?:[0-9a-f]{2}){12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0[12][0-9a-hjkmnp-tv-z]{24}|\d{5}[. ]?\d{5}[. ]?\d{5}[. ]?\d{6}[. ]?\d{5}[. ]?\d{6}[. ]?\d[. ]?\d{14})(?![0-9a-z])/gi

/**
 * A longer word is a txid, ULID, end-to-end id or JWE: people write no card number between its
 * letters.
 */
const WORD_LENGTH_MIN = 26

/** Start and end of a part of a text. */
interface TextSpan {
  readonly start: number
  readonly end: number
}

interface DigitGroup extends TextSpan {
  /** Position of its digits among all digits of the text. */
  readonly from: number
  readonly to: number
  /** Gap to the previous group; undefined if that group belongs to another number. */
  readonly gap: Gap | undefined
}

type Gap = 'break' | 'letters'

/** Groups of a text, with sums that answer questions about a run of them in constant time. */
interface Groups {
  readonly text: string
  readonly digits: Digits
  readonly list: readonly DigitGroup[]
  /** Index of the group that ends at each digit, counted from one. */
  readonly endingAt: Int32Array
  /** Count of groups up to each that begin a number. */
  readonly numbers: Int32Array
  /** Count of groups up to each that have letters in their gap. */
  readonly letters: Int32Array
}

export function maskCardNumbers(text: string): string {
  return replaceCardNumbers(text, () => MASK)
}

/** Replaces every card number of a text; `replacement` gets the number as written. */
export function replaceCardNumbers(text: string, replacement: (written: string) => string): string {
  let replaced = ''
  let end = 0
  for (const place of cardNumbersIn(text)) {
    replaced += text.slice(end, place.start) + replacement(text.slice(place.start, place.end))
    end = place.end
  }
  return replaced + text.slice(end)
}

export function holdsCardNumber(text: string): boolean {
  return cardNumbersIn(text).length > 0
}

/** True if any part of a row of digits is a brand's card number, whatever digits surround it. */
export function holdsCardDigits(row: string): boolean {
  const digits = digitsOf(row)
  return digits.values.some((_, from) => {
    const brand = brandAt(digits, from)
    return brand?.lengths.some((length) => {
      const to = from + length
      return to <= digits.values.length && (!brand.luhn || hasCheckDigit(digits, from, to))
    })
  })
}

function cardNumbersIn(written: string): TextSpan[] {
  // Most texts of a request end here, and it has many.
  if (!mayHoldDigits(written)) return []
  const plain = withPlainDigits(written)
  const text = plain.replaceAll(IDENTIFIER, (found) => 'x'.repeat(found.length))
  const digits = digitsOf(text)
  if (digits.values.length < DIGITS_MIN) return []
  const groups = digitGroups(text)
  const plainly = placesOf(text, digits, groups)
  if (!INVISIBLE.test(text)) return plainly
  return joined([...plainly, ...placesOf(text, digits, withoutInvisible(text, groups))])
}

/** False if a text certainly has too few digits, also of other scripts, for a card number. */
function mayHoldDigits(text: string): boolean {
  if (text.length < DIGITS_MIN) return false
  let count = 0
  for (let at = 0; at < text.length && count < DIGITS_MIN; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code) || code >= ASCII_END) count += 1
  }
  return count >= DIGITS_MIN
}

/** Sorts places and merges those that overlap. */
function joined(places: readonly TextSpan[]): TextSpan[] {
  const found: TextSpan[] = []
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    const last = found.at(-1)
    if (last === undefined || last.end <= start) found.push({ start, end })
    else found[found.length - 1] = { start: last.start, end: Math.max(last.end, end) }
  }
  return found
}

function placesOf(text: string, digits: Digits, list: readonly DigitGroup[]): TextSpan[] {
  const groups = indexGroups(text, digits, list)
  const found: TextSpan[] = []
  let last = 0
  for (const [index, { start }] of list.entries()) {
    if (start < last) continue
    const end = endOfCardNumber(groups, index)
    if (end === undefined) continue
    found.push({ start, end })
    last = end
  }
  return found
}

/** A request's target without percent-encoding, which could hide a card number. */
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

/** Replaces the second half of a digit that has two code units in UTF-16. */
const FILLER = '\u2064'

/** Digits of other scripts seen so far; Unicode bounds their number. */
const PLAIN_DIGITS = new Map<string, string>()

/**
 * Replaces digits of other scripts with ASCII ones. The length stays, so positions in both texts
 * agree.
 */
export function withPlainDigits(text: string): string {
  return text.replaceAll(/(?!\d)[\p{Nd}\p{No}]/gu, (digit) => {
    const plain = PLAIN_DIGITS.get(digit) ?? plainDigit(digit) + FILLER.repeat(digit.length - 1)
    PLAIN_DIGITS.set(digit, plain)
    return plain
  })
}

/** Unicode has decimal digits in rows of ten, from zero; other numbers are not always digits. */
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

function digitGroups(text: string): DigitGroup[] {
  const groups: DigitGroup[] = []
  let before: GroupEnd = { end: 0, to: 0, word: 0 }
  let word = 0
  for (let start = 0; start < text.length; start++) {
    const code = text.charCodeAt(start)
    if (!isWordCharacter(code)) word = start + 1
    if (!isDigit(code)) continue
    let end = start
    let { to } = before
    for (; isDigit(text.charCodeAt(end)) || text[end] === FILLER; end++)
      if (text[end] === FILLER) word = end + 1
      else to += 1
    groups.push({ start, end, from: before.to, to, gap: gapIn(text, before, start) })
    before = { end, to, word }
    start = end - 1
  }
  return groups
}

interface GroupEnd {
  readonly end: number
  readonly to: number
  /** Start of the word that this group ends. */
  readonly word: number
}

function gapIn(text: string, { end, word }: GroupEnd, to: number): Gap | undefined {
  if (to - end > BREAK_LENGTH_MAX) return undefined
  const gap = text.slice(end, to)
  if (BREAK.test(gap)) return 'break'
  return LETTER_BREAK.test(gap) && !isLongWord(text, word, to) ? 'letters' : undefined
}

/** True if the word, with the letters that follow the gap, is as long as an identifier. */
function isLongWord(text: string, word: number, to: number): boolean {
  let end = to
  while (end - word < WORD_LENGTH_MIN && isWordCharacter(text.charCodeAt(end))) end++
  return end - word >= WORD_LENGTH_MIN
}

/** True if `[\w-]` matches the character. */
function isWordCharacter(code: number): boolean {
  const lower = code | 0x20
  return isDigit(code) || (lower >= 0x61 && lower <= 0x7a) || code === 0x5f || code === 0x2d
}

/** Joins groups that only invisible characters separate. */
function withoutInvisible(text: string, groups: readonly DigitGroup[]): DigitGroup[] {
  const seen: DigitGroup[] = []
  let first: DigitGroup | undefined
  for (const [index, group] of groups.entries()) {
    first ??= group
    const next = groups[index + 1]
    if (next !== undefined && isInvisible(text, group.end, next.start)) continue
    seen.push({ ...first, end: group.end, to: group.to })
    first = undefined
  }
  return seen
}

function isInvisible(text: string, from: number, to: number): boolean {
  return to - from <= INVISIBLE_LENGTH_MAX && ONLY_INVISIBLE.test(text.slice(from, to))
}

function indexGroups(text: string, digits: Digits, list: readonly DigitGroup[]): Groups {
  const endingAt = new Int32Array(digits.values.length + 1)
  const numbers = new Int32Array(list.length)
  const letters = new Int32Array(list.length)
  let [number, letter] = [0, 0]
  for (const [index, { to, gap }] of list.entries()) {
    if (gap === undefined) number += 1
    if (gap === 'letters') letter += 1
    endingAt[to] = index + 1
    numbers[index] = number
    letters[index] = letter
  }
  return { text, digits, list, endingAt, numbers, letters }
}

/** End of the longest card number that begins with this group. */
function endOfCardNumber(groups: Groups, index: number): number | undefined {
  const { text, digits } = groups
  const first = groups.list[index]
  const brand = brandAt(digits, first?.from ?? 0)
  if (first === undefined || brand === undefined) return undefined
  const { start, from } = first
  const hasPlus = text[start - 1] === '+'
  let found: number | undefined
  for (const length of brand.lengths) {
    const last = (groups.endingAt[from + length] ?? 0) - 1
    const end = groups.list[last]?.end
    if (end === undefined || groups.numbers[last] !== groups.numbers[index]) continue
    if (brand.luhn && !hasCheckDigit(digits, from, from + length)) continue
    if (hasPlus && length <= PHONE_DIGITS_MAX) continue
    if (!isGrouping(groups, index, last)) continue
    const number = text.slice(start, end).replaceAll(/\D/g, '')
    if (isCardNumber(number, brand) && !isOtherNumber(number)) found = end
  }
  return found
}

function isGrouping(groups: Groups, first: number, last: number): boolean {
  const count = last - first + 1
  if (count === 1) return true
  const { text, list, letters } = groups
  const digits = (list[last]?.to ?? 0) - (list[first]?.from ?? 0)
  const hasLetters = letters[first] !== letters[last]
  if (count === digits) return !hasLetters
  if (count > GROUPS_MAX) return false
  const written = list.slice(first, last + 1)
  const sizes = written.map(({ from, to }) => to - from)
  if (hasLetters) return GROUPINGS_WITH_LETTERS.has(sizes.join('-'))
  return GROUPINGS.has(sizes.join('-')) || (digits >= EVEN_DIGITS_MIN && isEven(text, written))
}

/** True if all groups are long and have the same break between them. */
function isEven(text: string, groups: readonly DigitGroup[]): boolean {
  const breaks = groups.slice(1).map(({ start }, index) => text.slice(groups[index]?.end, start))
  return (
    groups.every(({ from, to }) => to - from >= EVEN_GROUP_MIN) &&
    breaks.every((written) => written === breaks[0])
  )
}

/** True if the number is certainly, or almost certainly, not a card's. */
function isOtherNumber(number: string): boolean {
  return isGtin13(number) || isUsualCnpj(number)
}

/** A product's barcode (GS1). Some look like a 13-digit Visa, which is no longer issued. */
function isGtin13(number: string): boolean {
  if (number.length !== 13) return false
  let sum = 0
  for (const [index, digit] of Array.from(number).entries())
    sum += Number(digit) * (index % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

/** A CNPJ of a company's first branches. Some look like a 14-digit Diners card. */
function isUsualCnpj(number: string): boolean {
  return number.startsWith('00', 8) && isCnpj(number)
}

import { isCnpj } from '../value/document.js'
import { isCardNumber } from './card-rules.js'
import { type Digits, brandAt, digitsOf, hasCheckDigit, isDigit } from './digits.js'

// Brand, length and check digit must all fit before a number in a text is taken for a card's.
// Hipercard has no check digit: its prefixes of six digits say as much as one. The work grows with
// the text, and a text may be nothing but digits and breaks: what is done at each digit compares
// numbers, and only what has the length and the check digit of a brand is looked at as a text.

/** Hides the last digits too: they may be a security code written behind the number. */
const MASK = '************'

const DIGITS_MIN = 13
/** E.164. */
const PHONE_DIGITS_MAX = 15

/** What no person sees may stand between two groups, or within one. */
const UNSEEN = /(?!\u2064)\p{Cf}/u
const UNSEEN_ALONE = /^(?:(?!\u2064)\p{Cf}){1,3}$/u
const UNSEEN_LENGTH_MAX = 6

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

const GROUPINGS_WITH_LETTERS: ReadonlySet<string> = new Set(['4-4-4-4', '4-6-5', '4-6-4', '6-10'])

/** Of all these, and of even ones. */
const GROUPS_MAX = 5

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

/** Where something stands in a text. */
interface Place {
  readonly start: number
  readonly end: number
}

interface DigitGroup extends Place {
  /** Where its digits begin and end among all digits of the text. */
  readonly from: number
  readonly to: number
  /** What is between it and the group before; undefined where that is of another number. */
  readonly gap: Gap | undefined
}

type Gap = 'break' | 'letters'

/** The groups of a text, as what is asked of some that follow each other. */
interface Groups {
  readonly text: string
  readonly digits: Digits
  readonly list: readonly DigitGroup[]
  /** Which group ends where, counted from one. */
  readonly endingAt: Int32Array
  /** How many up to each begin a number, whatever is before them. */
  readonly numbers: Int32Array
  /** How many up to each have letters in their gap. */
  readonly letters: Int32Array
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

/** Whether a card number of a brand is anywhere in a row of digits, whatever is beside it. */
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

function cardNumbersIn(written: string): Place[] {
  // Most texts of a request, and it has many.
  if (written.length < DIGITS_MIN || !/\p{N}/u.test(written)) return []
  const plain = withPlainDigits(written)
  const text = plain.replaceAll(IDENTIFIER, (found) => 'x'.repeat(found.length))
  const digits = digitsOf(text)
  if (digits.values.length < DIGITS_MIN) return []
  const groups = digitGroups(text)
  const plainly = placesOf(text, digits, groups)
  if (!UNSEEN.test(text)) return plainly
  return joined([...plainly, ...placesOf(text, digits, withoutUnseen(text, groups))])
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

function placesOf(text: string, digits: Digits, list: readonly DigitGroup[]): Place[] {
  const groups = asked(text, digits, list)
  const found: Place[] = []
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

/** Of other scripts; as many as Unicode has. */
const PLAIN_DIGITS = new Map<string, string>()

/** ASCII digits for those of other scripts; the length stays, so places in both texts agree. */
export function withPlainDigits(text: string): string {
  return text.replaceAll(/(?!\d)[\p{Nd}\p{No}]/gu, (digit) => {
    const plain = PLAIN_DIGITS.get(digit) ?? plainDigit(digit) + FILLER.repeat(digit.length - 1)
    PLAIN_DIGITS.set(digit, plain)
    return plain
  })
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

function digitGroups(text: string): DigitGroup[] {
  const groups: DigitGroup[] = []
  let before: GroupEnd = { end: 0, to: 0, word: 0 }
  let word = 0
  for (let start = 0; start < text.length; start++) {
    const code = text.charCodeAt(start)
    if (!isOfWord(code)) word = start + 1
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
  /** Where the word begins that it is the end of. */
  readonly word: number
}

function gapIn(text: string, { end, word }: GroupEnd, to: number): Gap | undefined {
  if (to - end > BREAK_LENGTH_MAX) return undefined
  const gap = text.slice(end, to)
  if (BREAK.test(gap)) return 'break'
  return LETTER_BREAK.test(gap) && !isLongWord(text, word, to) ? 'letters' : undefined
}

/** Whether with the letters of it that follow, it is one. */
function isLongWord(text: string, word: number, to: number): boolean {
  let end = to
  while (end - word < WORD_LENGTH_MIN && isOfWord(text.charCodeAt(end))) end++
  return end - word >= WORD_LENGTH_MIN
}

/** Whether `[\w-]` has it. */
function isOfWord(code: number): boolean {
  const lower = code | 0x20
  return isDigit(code) || (lower >= 0x61 && lower <= 0x7a) || code === 0x5f || code === 0x2d
}

/** The groups as they look to who does not see what stands within some. */
function withoutUnseen(text: string, groups: readonly DigitGroup[]): DigitGroup[] {
  const seen: DigitGroup[] = []
  let first: DigitGroup | undefined
  for (const [index, group] of groups.entries()) {
    first ??= group
    const next = groups[index + 1]
    if (next !== undefined && isUnseen(text, group.end, next.start)) continue
    seen.push({ ...first, end: group.end, to: group.to })
    first = undefined
  }
  return seen
}

function isUnseen(text: string, from: number, to: number): boolean {
  return to - from <= UNSEEN_LENGTH_MAX && UNSEEN_ALONE.test(text.slice(from, to))
}

function asked(text: string, digits: Digits, list: readonly DigitGroup[]): Groups {
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

/** Where the longest card number ends that begins with this group. */
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

/** Whether the groups are long, and the same break is between all of them. */
function isEven(text: string, groups: readonly DigitGroup[]): boolean {
  const breaks = groups.slice(1).map(({ start }, index) => text.slice(groups[index]?.end, start))
  return (
    groups.every(({ from, to }) => to - from >= EVEN_GROUP_MIN) &&
    breaks.every((written) => written === breaks[0])
  )
}

/** Whether a number that could be a card's is another's for sure, or as good as. */
function isOtherNumber(number: string): boolean {
  return isGtin13(number) || isUsualCnpj(number)
}

/** A product's barcode (GS1). Some look like a Visa of 13 digits, which is no longer issued. */
function isGtin13(number: string): boolean {
  if (number.length !== 13) return false
  let sum = 0
  for (const [index, digit] of Array.from(number).entries())
    sum += Number(digit) * (index % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

/** A CNPJ of a company's first branches: some look like a Diners card of 14 digits. */
function isUsualCnpj(number: string): boolean {
  return number.startsWith('00', 8) && isCnpj(number)
}

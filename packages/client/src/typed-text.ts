import { brandOf } from '@cofre/contracts/card-brand'
import { digitsOf } from './digits.js'

/** Text of an input, and the position of its caret. */
export interface TypedText {
  readonly text: string
  readonly caret: number
}

const NUMBER_DIGITS_MAX = 19
const CVV_DIGITS_MAX = 4
const EXPIRY_DIGITS_MAX = 6
/** Ends of the groups. Amex prints 4-6-5, Diners with 14 digits 4-6-4. */
const SHORT_CARD_GROUPS = [4, 10]
const USUAL_GROUPS = [4, 8, 12, 16]
const SHORT_CARD_DIGITS_MAX = 15

/** A card number in its printed groups. */
export function groupedNumber(text: string): string {
  const digits = digitsOf(text).slice(0, NUMBER_DIGITS_MAX)
  const brand = brandOf(digits)?.name
  const isShort = (brand === 'amex' || brand === 'diners') && digits.length <= SHORT_CARD_DIGITS_MAX
  const ends = (isShort ? SHORT_CARD_GROUPS : USUAL_GROUPS).filter((end) => end < digits.length)
  return [0, ...ends].map((start, i) => digits.slice(start, ends[i])).join(' ')
}

/** At most four digits of a CVV. */
export function cvvDigits(text: string): string {
  return digitsOf(text).slice(0, CVV_DIGITS_MAX)
}

/** First letters of the months in English, Portuguese and Spanish. */
const MONTH_NAMES =
  'jan ene,feb fev,mar,apr abr,may mai,jun,jul,aug ago,sep set,oct out,nov,dec dez dic'
    .split(',')
    .map((names) => names.split(' '))

/**
 * Month and year as people, browsers and password managers write them: `12/30`, `1230`, `1/2030`,
 * `2030-12`, `203012`, `Dec 2030`. If only the second part can be the month, the first is the year.
 * In a whole date, the first or the second part is the day.
 */
export function readExpiry(text: string): { readonly month: string; readonly year: string } {
  const parts = withNumbers(plainText(text)).split(/\D+/).filter(Boolean)
  const [first = '', second = '', third = ''] = parts
  if (third.length === 4 && isMonth(first) !== isMonth(second))
    return { month: isMonth(first) ? first : second, year: third }
  if (parts.length > 1) {
    // `31-12-30` may begin with its day too.
    const isYearFirst =
      first.length === 4 ||
      (third === '' && second.length === 2 && isMonth(second) && !isMonth(first))
    return isYearFirst ? { month: second, year: first } : { month: first, year: second }
  }
  const [, year = '', month = ''] = /^(\d{2}|\d{4})(\d{2})$/.exec(first) ?? []
  if (isMonth(month) && !isMonth(year.slice(0, 2))) return { month, year }
  const digits = /^[2-9]/.test(first) ? '0' + first : first
  return { month: digits.slice(0, 2), year: digits.slice(2, EXPIRY_DIGITS_MAX) }
}

/** Replaces the names of months with numbers. */
function withNumbers(text: string): string {
  return text.replace(/\p{L}{3,}/gu, (name) => {
    const beginning = name.slice(0, 3).toLowerCase()
    const at = MONTH_NAMES.findIndex((names) => names.includes(beginning))
    return ` ${at < 0 ? '' : String(at + 1).padStart(2, '0')} `
  })
}

function isMonth(text: string): boolean {
  return /^(?:0?[1-9]|1[0-2])$/.test(text)
}

/** Text without invisible characters, which would not separate the parts of an expiry. */
function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
}

/**
 * `MM/YY`, or with a four-digit year, as far as it is typed. Text under correction stays as it is:
 * the 1 of `1/30` may become 11, not 01.
 */
export function formattedExpiry(text: string, hasRecovered = false): string {
  if (hasRecovered) return text
  const { month, year } = readExpiry(text)
  if (!month) return ''
  const isMonthOver = year !== '' || /^\d+\D/.test(plainText(text))
  const padded = isMonthOver ? month.padStart(2, '0') : month
  return padded.length < 2 ? padded : padded + '/' + year.slice(0, 4)
}

/**
 * Formats text while it is typed and keeps the caret behind the same digit. Erasing a separator
 * removes no digit: the caret moves over it, and the next key erases a digit.
 * @param inputType - The `inputType` of the browser's InputEvent.
 */
export function formatTyped(
  typed: TypedText,
  format: (text: string, hasRecovered: boolean) => string,
  inputType: string,
): TypedText {
  const { text, caret } = typed
  const isErasing = inputType.startsWith('delete')
  const hasRecovered = isErasing || caret < text.length
  const formatted = format(text, hasRecovered)
  const shown = isErasing ? formatted.replace(/\D$/, '') : formatted
  if (!hasRecovered) return { text: shown, caret: shown.length }
  const before = digitsOf(text.slice(0, caret)).length
  let position = 0
  for (let passed = 0; passed < before && position < shown.length; position++)
    if (/\d/.test(shown.charAt(position))) passed++
  const isBeforeGap = inputType === 'deleteContentForward' && /\D/.test(shown.charAt(position))
  return { text: shown, caret: isBeforeGap ? position + 1 : position }
}

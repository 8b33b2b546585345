import { SettlementFileError, type SettlementPlace, isCalendarDate } from '@cofre/contracts'

/** The sum of larger amounts over a file may exceed a safe integer. */
const AMOUNT_MAX_MINOR = 99_999_999_999

const PLAIN = /^(?<whole>\d{1,13})(?:[.,](?<cents>\d{1,2}))?$/
/** Without centavos, a point before three digits is ambiguous. */
const GROUPED = /^(?<whole>\d{1,3}(?:[. ]\d{3}){1,4}),(?<cents>\d{1,2})$/

const MACHINE = /^-?\d{1,13}(?:\.\d{1,2})?$/

/** Longer texts are neither amounts nor days. */
const WRITTEN_LENGTH_MAX = 60

/** Hyphens, dashes and minus signs, which all mean minus before or after a number. */
const MINUSES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
const SIGNED = /^(?<first>[-+(]?)(?:R\$|BRL)?(?<second>[-+(]?)(?<number>[\d., ]*)(?<last>[-)]?)$/i
const SIGNS: Readonly<Record<string, 1 | -1>> = { '': 1, '+': 1, '-': -1, '()': -1 }

/** Examples for messages in any language. */
const AN_AMOUNT = '1.299,90'
const A_DAY = '2026-11-20, 20/11/2026'

/**
 * An amount in centavos, as spreadsheets write it: `129.90`, `129,90`, `-1.299,90`, `130`,
 * `R$ 130,00`, `(130,00)`, and `R$ -` for zero.
 * @throws SettlementFileError `bad-value`
 */
export function amountOf(text: string, place: SettlementPlace): number {
  const { first = '', second = '', number = '', last = '' } = SIGNED.exec(bare(text))?.groups ?? {}
  const sign = SIGNS[first + second + last]
  const isNothing = number === '' && sign === -1 && last !== ')'
  const { whole, cents = '' } = (PLAIN.exec(number) ?? GROUPED.exec(number))?.groups ?? {}
  const digits = isNothing ? '0' : whole
  if (digits === undefined || sign === undefined)
    throw new SettlementFileError('bad-value', { ...place, expected: AN_AMOUNT })
  const minor = Number(`${digits.replaceAll(/\D/g, '')}${cents.padEnd(2, '0')}`)
  return boundedAmount(minor === 0 ? 0 : sign * minor, place)
}

/** With plain blanks and hyphens, and no blanks beside a sign or the currency. */
function bare(text: string): string {
  if (text.length > WRITTEN_LENGTH_MAX) return ''
  const plain = plainBlanks(text).replaceAll(MINUSES, '-')
  return plain.replaceAll(/ ?(R\$|BRL|[-+()]) ?/gi, '$1').replace(/([\d)])(?:R\$|BRL)/i, '$1')
}

/** Spreadsheets write blanks of any width, and invisible marks of direction. */
function plainBlanks(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/**
 * An amount in centavos, as machines write it: `129.90`, `-1234.5`.
 * @throws SettlementFileError `bad-value`; `resaved` for a comma, which no machine writes, and for
 *   the marks of a too narrow column
 */
export function decimalOf(text: string, place: SettlementPlace): number {
  if (/,|^#+$/.test(text)) throw new SettlementFileError('resaved', place)
  if (!MACHINE.test(text)) throw new SettlementFileError('bad-value', place)
  return amountOf(text, place)
}

/** @throws SettlementFileError `bad-value` for an amount beyond any single payout */
export function boundedAmount(minor: number, place: SettlementPlace): number {
  if (Math.abs(minor) > AMOUNT_MAX_MINOR) throw new SettlementFileError('bad-value', place)
  return minor
}

/** A time may follow a day: `T10:30:00Z`, ` 10h30`, `, 10:30 PM`. */
const YEAR_FIRST =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(?:T|,? )\d{1,2}[:h]\d{2}\S*(?: \S{1,9})?)?$/
const DAY_FIRST =
  /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:(?:T|,? )\d{1,2}[:h]\d{2}\S*(?: \S{1,9})?)?$/

/**
 * A day as `YYYY-MM-DD`.
 * @param text - In this form, or with the day first, as in Brazil: `20/11/2026`, `2-3-2026`; with
 *   or without a time after it.
 * @throws SettlementFileError `bad-value`
 */
export function readDay(text: string, place: SettlementPlace): string {
  const plain = text.length > WRITTEN_LENGTH_MAX ? '' : plainBlanks(text)
  const [, year, , month, ofMonth] = YEAR_FIRST.exec(plain) ?? []
  const [, first = ofMonth, , second = month, last = year] = DAY_FIRST.exec(plain) ?? []
  const day = [last ?? '', second ?? '', first ?? ''].map((part) => part.padStart(2, '0')).join('-')
  if (isCalendarDate(day)) return day
  throw new SettlementFileError('bad-value', { ...place, expected: A_DAY })
}

/**
 * A day as machines write it: as {@link readDay}, with the year first.
 * @throws SettlementFileError `bad-value`; `resaved` for a form that only spreadsheets write
 */
export function machineDayOf(text: string, place: SettlementPlace): string {
  if (text !== '' && !/^\d{4}\D/.test(text)) throw new SettlementFileError('resaved', place)
  return readDay(text, place)
}

const NAME_LENGTH_MAX = 100

/** A long number that a spreadsheet has rounded to six digits: `8,81566E+15`. */
const CUT_NUMBER = /^\d(?:[.,]\d+)?E\+\d+$/i

/**
 * The id of a payment; undefined if it has none.
 * @throws SettlementFileError `bad-value`; `resaved` for a number whose digits are lost
 */
export function nameOf(text: string, place: SettlementPlace): string | undefined {
  if (CUT_NUMBER.test(text)) throw new SettlementFileError('resaved', place)
  if (text.length > NAME_LENGTH_MAX) throw new SettlementFileError('bad-value', place)
  return text === '' ? undefined : text
}

/**
 * The installment's number, or the count of installments; undefined for none.
 * @throws SettlementFileError `bad-value`
 */
export function partOf(text: string, place: SettlementPlace): number | undefined {
  if (/^0*$/.test(text)) return undefined
  if (!/^\d{1,2}$/.test(text)) throw new SettlementFileError('bad-value', place)
  return Number(text)
}

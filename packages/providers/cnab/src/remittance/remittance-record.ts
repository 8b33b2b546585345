// Writes records of CNAB 400. Manuals count columns from 1, as here.
import { asciiSpelling } from '@cofre/contracts'

const WIDTH = 400

/** A range of columns, inclusive, and its whole content. */
export type Column = readonly [from: number, to: number, written: string]

/**
 * A record from all its columns.
 * @throws RangeError if the columns leave a gap, overlap, or are not filled
 */
export function record(columns: readonly Column[]): string {
  let line = ''
  for (const [from, to, written] of columns) {
    if (from !== line.length + 1 || written.length !== to - from + 1)
      throw new RangeError(`columns ${from} to ${to} of a record do not fit`)
    line += written
  }
  if (line.length !== WIDTH) throw new RangeError(`a record of ${WIDTH} columns is not filled`)
  return line
}

/** Capital letters without accents, cut or padded with blanks. */
export function letters(from: number, to: number, text: string): Column {
  const length = to - from + 1
  return [from, to, capitals(text).slice(0, length).padEnd(length)]
}

export function blanks(from: number, to: number): Column {
  return letters(from, to, '')
}

/**
 * Digits with leading zeros; letters are allowed among them, as in a CNPJ.
 * @throws RangeError if the value does not fit
 */
export function digits(from: number, to: number, value: string | number): Column {
  const length = to - from + 1
  const text = String(value)
  if (text.length > length || !/^[0-9A-Z]*$/.test(text))
    throw new RangeError(`what stands in columns ${from} to ${to} has ${length} digits at most`)
  return [from, to, text.padStart(length, '0')]
}

/** `DDMMYY` from `YYYY-MM-DD` */
export function shortDate(from: number, to: number, day: string): Column {
  return [from, to, day.slice(8, 10) + day.slice(5, 7) + day.slice(2, 4)]
}

/**
 * Characters that every bank reads: ASCII capitals. Letters and marks get their ASCII spelling
 * (`Łoś` is `LOS`), a letter or digit of another script becomes `?`, any other sign a blank: none
 * is dropped.
 */
function capitals(text: string): string {
  return asciiSpelling(text)
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[^\x20-\x7e]/gu, (sign) => (LETTER_OR_DIGIT.test(sign) ? '?' : ' '))
    .replaceAll(/ +/g, ' ')
    .toUpperCase()
    .trim()
}

const INVISIBLE = /[\p{Cf}\p{M}]/gu
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

// Fields of fixed-width records. Manuals count columns from 1, as here.
import { SettlementFileError, isCalendarDate } from '@cofre/contracts'

/**
 * The format of a field: `date` DDMMYY or DDMMYYYY, `reversed-date` YYYYMMDD. Zeros and blanks mean
 * that there is no value.
 */
export type FieldKind = 'text' | 'number' | 'amount' | 'date' | 'reversed-date'
export type Field = readonly [kind: FieldKind, from: number, to: number]

export interface FileRecord {
  /** From 1. */
  readonly line: number
  readonly text: string
}

export function columnText({ text }: FileRecord, [, from, to]: Field): string {
  return text.slice(from - 1, to).trim()
}

/** Undefined if it is blank, or zeros. */
export function nameOf(record: FileRecord, field: Field | undefined): string | undefined {
  const name = field === undefined ? '' : columnText(record, field)
  return isNothing(name) ? undefined : name
}

function isNothing(text: string): boolean {
  return /^0*$/.test(text)
}

/** A bank's way of filling numbers. */
export interface NumberStyle {
  /** Blanks may follow the digits. BTG Pactual writes 13 digits in a field of 15. */
  readonly isPadded: boolean
}

/**
 * Zero if it is blank.
 * @throws SettlementFileError `bad-value` at the first column that is not a digit
 */
export function numberOf(
  record: FileRecord,
  field: Field | undefined,
  { isPadded }: NumberStyle = { isPadded: false },
): number {
  if (field === undefined) return 0
  const [, from, to] = field
  const written = record.text.slice(from - 1, to)
  if (written.trim() === '') return 0
  const digits = isPadded ? written.trimEnd() : written
  const wrong = /\D/.exec(digits)
  if (wrong !== null)
    throw new SettlementFileError('digits-expected', {
      line: record.line,
      column: from + wrong.index,
      found: wrong[0],
    })
  const value = Number(digits)
  if (!Number.isSafeInteger(value))
    throw new SettlementFileError('bad-value', { line: record.line, column: from })
  return value
}

/** Undefined also for an invalid date. */
export function possibleDateOf(record: FileRecord, field: Field): string | undefined {
  return parseDay(columnText(record, field), field[0])
}

/** @throws SettlementFileError `bad-value` for an invalid date */
export function dateOf(record: FileRecord, field: Field | undefined): string | undefined {
  if (field === undefined) return undefined
  const digits = columnText(record, field)
  if (isNothing(digits)) return undefined
  const day = parseDay(digits, field[0])
  if (day !== undefined) return day
  throw new SettlementFileError('bad-value', { line: record.line, column: field[1] })
}

function parseDay(digits: string, kind: FieldKind): string | undefined {
  if (/\D/.test(digits)) return undefined
  const days =
    kind === 'reversed-date'
      ? [
          `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`,
          // Some banks write the short form, followed by zeros.
          digits.endsWith('00') ? shortDay(digits.slice(0, -2)) : '',
        ]
      : [shortDay(digits)]
  return days.find((day) => isCalendarDate(day))
}

/** A day from `DDMMYY` or `DDMMYYYY`. Two digits mean this century: no CNAB file is older. */
function shortDay(digits: string): string {
  const year = digits.slice(4)
  return `${year.length === 2 ? '20' : ''}${year}-${digits.slice(2, 4)}-${digits.slice(0, 2)}`
}

/** The last column that any of the fields needs. */
export function lastColumnOf(fields: Readonly<Record<string, Field | undefined>>): number {
  return Math.max(...Object.values(fields).map((field) => field?.[2] ?? 0))
}

// Fields of fixed-width records. Manuals count columns from 1, as here.
import { SettlementFileError, isCalendarDate } from '@cofre/contracts'

/**
 * How a field is read: `date` DDMMYY or DDMMYYYY, `reversed-date` YYYYMMDD. Zeros and blanks stand
 * for nothing.
 */
export type FieldKind = 'text' | 'number' | 'amount' | 'date' | 'reversed-date'
export type Field = readonly [kind: FieldKind, from: number, to: number]

/** A line of the file. */
export interface FileRecord {
  /** From 1. */
  readonly line: number
  readonly text: string
}

export function textOf({ text }: FileRecord, [, from, to]: Field): string {
  return text.slice(from - 1, to).trim()
}

/** Undefined where it is blank, or zeros. */
export function nameOf(record: FileRecord, field: Field | undefined): string | undefined {
  const name = field === undefined ? '' : textOf(record, field)
  return isNothing(name) ? undefined : name
}

function isNothing(text: string): boolean {
  return /^0*$/.test(text)
}

/** How a bank fills numbers. */
export interface NumberStyle {
  /** Blanks may follow the digits. BTG Pactual writes 13 digits where there is room for 15. */
  readonly isPadded: boolean
}

/**
 * Nought where it is blank.
 * @throws SettlementFileError `bad-value` at the first column that is no digit
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

/** Undefined for what is no day of the calendar, too. */
export function possibleDateOf(record: FileRecord, field: Field): string | undefined {
  return dayOf(textOf(record, field), field[0])
}

/** @throws SettlementFileError `bad-value` for what is no day of the calendar */
export function dateOf(record: FileRecord, field: Field | undefined): string | undefined {
  if (field === undefined) return undefined
  const digits = textOf(record, field)
  if (isNothing(digits)) return undefined
  const day = dayOf(digits, field[0])
  if (day !== undefined) return day
  throw new SettlementFileError('bad-value', { line: record.line, column: field[1] })
}

function dayOf(digits: string, kind: FieldKind): string | undefined {
  if (/\D/.test(digits)) return undefined
  const days =
    kind === 'reversed-date'
      ? [
          `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`,
          // Some write the shorter form, and zeros after it.
          digits.endsWith('00') ? shortDay(digits.slice(0, -2)) : '',
        ]
      : [shortDay(digits)]
  return days.find((day) => isCalendarDate(day))
}

/** Of `DDMMYY` or `DDMMYYYY`. Two digits are of this century: CNAB files are younger. */
function shortDay(digits: string): string {
  const year = digits.slice(4)
  return `${year.length === 2 ? '20' : ''}${year}-${digits.slice(2, 4)}-${digits.slice(0, 2)}`
}

/** The last column that any of the fields needs. */
export function lastColumnOf(fields: Readonly<Record<string, Field | undefined>>): number {
  return Math.max(...Object.values(fields).map((field) => field?.[2] ?? 0))
}

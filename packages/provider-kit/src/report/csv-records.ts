import { EITHER_COLUMN, SettlementFileError, holdsCardNumber } from '@cofre/contracts'
import { COLUMNS_MAX, textRecords } from './csv-text.js'
import { isEmptyLine, isHeading, meantText, peekHeading } from './file-text.js'

/** A line of a table whose first line has the column names. */
export interface CsvRecord {
  /** Line number in the file, from 1; the last one of a record over several lines. */
  readonly line: number
  /** A trimmed cell; empty if the table has no such column. */
  readonly cell: (column: string) => string
}

export interface CsvTable {
  /** The first of them in the heading separates the cells. */
  readonly delimiters: readonly [Delimiter, ...Delimiter[]]
  /** Column names, compared case-insensitively. */
  readonly required: readonly string[]
  /** At least one of these columns is required. */
  readonly oneOf?: readonly string[]
  readonly optional: readonly string[]
}

export type Delimiter = ',' | ';' | '\t'

/** Separators of spreadsheets. */
const DELIMITERS = /[;,\t]/

/** The shortest card number. */
const CARD_DIGITS_MIN = 13

/**
 * The records of a table, without its heading. Every cell is searched for a card number, whatever
 * its column.
 * @throws SettlementFileError
 */
export async function* csvRecords(
  text: AsyncIterable<string>,
  table: CsvTable,
): AsyncGenerator<CsvRecord, void> {
  const peeked = await peekHeading(text)
  refuseOtherDelimiter(peeked, table)
  const { delimiters } = table
  const delimiter = delimiters.find((of) => peeked.heading.includes(of)) ?? delimiters[0]
  let columns: readonly (string | undefined)[] | undefined
  let count = 0
  for await (const { line, cells } of textRecords(peeked.text, delimiter)) {
    const record = cells.map(meantText)
    refuseCardNumbers(record, columns ?? [], line)
    if (record.every(isEmptyLine)) continue
    if (columns === undefined) {
      if (isHeading(record.join(delimiter))) columns = columnsOf(record, { table, line })
      continue
    }
    refuseJoined(record, { delimiter, line })
    refuseCellsBeyond(record, columns, line)
    count += 1
    yield recordOf(record, columns, line)
  }
  if (columns === undefined || count === 0) throw new SettlementFileError('no-lines')
}

interface TableLine {
  readonly table: CsvTable
  readonly line: number
}

function columnIn({ required, oneOf = [], optional }: CsvTable, head: string): string | undefined {
  const name = head.trim().toLowerCase()
  return [...required, ...oneOf, ...optional].find((column) => column.toLowerCase() === name)
}

/** Refuses a heading that only another delimiter splits, or one quoted as a whole. */
function refuseOtherDelimiter(
  { heading, line }: { readonly heading: string; readonly line: number },
  table: CsvTable,
): void {
  const parts = heading.replaceAll(/^"|"$/g, '').split(DELIMITERS, COLUMNS_MAX)
  const isJoined = /^"[^"]*[;,\t]/.test(heading)
  const isParted = table.delimiters.some((of) => heading.includes(of))
  if ((isJoined || !isParted) && parts.length > 1 && parts.some((head) => columnIn(table, head)))
    throw new SettlementFileError('resaved', { line })
}

/** The known columns by their positions; undefined for unused ones. */
function columnsOf(
  heads: readonly string[],
  { table, line }: TableLine,
): readonly (string | undefined)[] {
  const { required, oneOf = [] } = table
  const columns = heads.map((head) => columnIn(table, head))
  const needsOneOf = oneOf.length > 0 && !oneOf.some((column) => columns.includes(column))
  const missing = [
    ...required.filter((column) => !columns.includes(column)),
    ...(needsOneOf ? [oneOf.join(EITHER_COLUMN)] : []),
  ]
  const field = missing.join(', ')
  // Another report has none of them.
  if (!required.some((column) => columns.includes(column)))
    throw new SettlementFileError('wrong-report', { line, expected: field })
  if (missing.length > 0) throw new SettlementFileError('missing-column', { line, field })
  const twice = columns.find((column, i) => column !== undefined && columns.indexOf(column) < i)
  if (twice !== undefined) throw new SettlementFileError('bad-value', { line, field: twice })
  return columns
}

/** A spreadsheet with another delimiter saves each line as one cell. */
function refuseJoined(
  [only = '', ...others]: readonly string[],
  { delimiter, line }: { readonly delimiter: Delimiter; readonly line: number },
): void {
  if (others.length === 0 && only.includes(delimiter))
    throw new SettlementFileError('resaved', { line })
}

/** Refuses extra cells, such as centavos if the comma before them also separates columns. */
function refuseCellsBeyond(
  record: readonly string[],
  columns: readonly (string | undefined)[],
  line: number,
): void {
  const beyond = record.findIndex((cell, i) => i >= columns.length && !isEmptyLine(cell))
  if (beyond !== -1) throw new SettlementFileError('bad-value', { line, field: String(beyond + 1) })
}

/** An unused column is reported by its number, because its name may be anything. */
function refuseCardNumbers(
  record: readonly string[],
  columns: readonly (string | undefined)[],
  line: number,
): void {
  for (const [i, cell] of record.entries())
    // People don't write a quotation mark among digits, so it can't hide a card number.
    if (cell.length >= CARD_DIGITS_MIN && holdsCardNumber(cell.replaceAll('"', '')))
      throw new SettlementFileError('card-number', { line, field: columns[i] ?? String(i + 1) })
}

function recordOf(
  record: readonly string[],
  columns: readonly (string | undefined)[],
  line: number,
): CsvRecord {
  return { line, cell: (column) => (record[columns.indexOf(column)] ?? '').trim() }
}

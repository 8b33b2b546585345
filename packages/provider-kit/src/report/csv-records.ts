import { EITHER_COLUMN, SettlementFileError, holdsCardNumber } from '@cofre/contracts'
import { COLUMNS_MAX, textRecords } from './csv-text.js'
import { isEmptyLine, isHeading, meantText, peekHeading } from './file-text.js'

/** A line of a table whose first line names its columns. */
export interface CsvRecord {
  /** In the file, from 1: the last, of a record over several lines. */
  readonly line: number
  /** Trimmed. Empty for a column that the table does not have. */
  readonly cell: (column: string) => string
}

export interface CsvTable {
  /** The first of them that stands in the heading is what parts the cells. */
  readonly delimiters: readonly [Delimiter, ...Delimiter[]]
  /** Names of columns; they are compared without case. */
  readonly required: readonly string[]
  /** Of these columns one is required, whichever. */
  readonly oneOf?: readonly string[]
  readonly optional: readonly string[]
}

export type Delimiter = ',' | ';' | '\t'

/** What spreadsheets part cells by. */
const DELIMITERS = /[;,\t]/

/** Fewer digits are no card number. */
const CARD_DIGITS_MIN = 13

/**
 * The records of a table, without the line of its columns. Every cell is looked at for a card
 * number, whatever its column.
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

/** A heading whose names only another delimiter parts, or one in quotation marks as a whole. */
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

/** The known columns by their places; undefined for those that nothing reads. */
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
  // Of another table, none is there.
  if (!required.some((column) => columns.includes(column)))
    throw new SettlementFileError('wrong-report', { line, expected: field })
  if (missing.length > 0) throw new SettlementFileError('missing-column', { line, field })
  const twice = columns.find((column, i) => column !== undefined && columns.indexOf(column) < i)
  if (twice !== undefined) throw new SettlementFileError('bad-value', { line, field: twice })
  return columns
}

/** A spreadsheet that takes another delimiter saves each line as one cell. */
function refuseJoined(
  [only = '', ...others]: readonly string[],
  { delimiter, line }: { readonly delimiter: Delimiter; readonly line: number },
): void {
  if (others.length === 0 && only.includes(delimiter))
    throw new SettlementFileError('resaved', { line })
}

/** Such as the centavos, where the comma before them parts columns, too. */
function refuseCellsBeyond(
  record: readonly string[],
  columns: readonly (string | undefined)[],
  line: number,
): void {
  const beyond = record.findIndex((cell, i) => i >= columns.length && !isEmptyLine(cell))
  if (beyond !== -1) throw new SettlementFileError('bad-value', { line, field: String(beyond + 1) })
}

/** A column that nothing reads is named by its number: its name may be anything. */
function refuseCardNumbers(
  record: readonly string[],
  columns: readonly (string | undefined)[],
  line: number,
): void {
  for (const [i, cell] of record.entries())
    // A quotation mark among digits is no break that people write.
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

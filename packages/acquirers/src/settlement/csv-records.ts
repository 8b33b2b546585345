import { Readable, pipeline } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { SettlementFileError, holdsCardNumber } from '@cofre/contracts'
import { CsvError, type Info, parse } from 'csv-parse'
import { LINE_LENGTH_MAX, isEmptyLine, isHeading, meantText, peekHeading } from './file-text.js'

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
  /** Of these columns one is required, whichever; the last is named where none is there. */
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
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: LINE_LENGTH_MAX,
    // All of them: with the first that comes, others would join records unread.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  })
  // Its errors come by the parser, too.
  pipeline(Readable.from(inTurns(peeked.text)), parser, () => undefined)
  let columns: readonly (string | undefined)[] | undefined
  let count = 0
  try {
    for await (const parsed of parser as AsyncIterable<ParsedRecord>) {
      const record = parsed.record.map(meantText)
      const line = parsed.info.lines
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
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error) : error
  }
  if (columns === undefined || count === 0) throw new SettlementFileError('no-lines')
}

/** So much may be parsed before other work has its turn: a row may be two bytes. */
const PIECE_LENGTH = 1024

async function* inTurns(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const piece of text)
    for (let at = 0; at < piece.length; at += PIECE_LENGTH) {
      yield piece.slice(at, at + PIECE_LENGTH)
      await setImmediate()
    }
}

interface ParsedRecord {
  readonly info: Info
  readonly record: readonly string[]
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
  const parts = heading.replaceAll(/^"|"$/g, '').split(DELIMITERS)
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
  const missing = [
    ...required.filter((column) => !columns.includes(column)),
    ...(oneOf.some((column) => columns.includes(column)) ? [] : oneOf.slice(-1)),
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

function refusalOf({ code, ...context }: CsvError): SettlementFileError {
  const { lines } = context as { readonly lines?: number }
  const place = typeof lines === 'number' ? { line: lines } : {}
  if (code === 'CSV_MAX_RECORD_SIZE') return new SettlementFileError('line-too-long', place)
  // An open quotation mark takes in all that follows.
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new SettlementFileError('incomplete', place)
  return new SettlementFileError('bad-value', place)
}

import { Buffer, isUtf8 } from 'node:buffer'
import { Readable, pipeline } from 'node:stream'
import { SettlementFileError, holdsCardNumber } from '@cofre/contracts'
import { CsvError, type Info, parse } from 'csv-parse'
import { LINE_LENGTH_MAX } from './file-text.js'

/** A line of a table whose first line names its columns. */
export interface CsvRecord {
  /** In the file, from 1: the last, of a record over several lines. */
  readonly line: number
  /** Trimmed. Empty for a column that the table does not have. */
  readonly cell: (column: string) => string
}

export interface CsvTable {
  readonly delimiter: ',' | ';'
  /** Names of columns; they are compared without case. */
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

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
  const parser = parse({
    delimiter: table.delimiter,
    info: true,
    max_record_size: LINE_LENGTH_MAX,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  // Its errors come by the parser, too.
  pipeline(Readable.from(text), parser, () => undefined)
  let columns: readonly (string | undefined)[] | undefined
  let count = 0
  try {
    for await (const parsed of parser as AsyncIterable<ParsedRecord>) {
      const record = parsed.record.map(cellText)
      const line = parsed.info.lines
      refuseCardNumbers(record, columns ?? [], line)
      if (columns === undefined) {
        columns = columnsOf(record, table)
        continue
      }
      count += 1
      yield recordOf(record, columns, line)
    }
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error) : error
  }
  if (columns === undefined || count === 0) throw new SettlementFileError('no-lines')
}

interface ParsedRecord {
  readonly info: Info
  readonly record: readonly string[]
}

/** A cell as it was meant: in UTF-8, or else in Latin-1, in which spreadsheets save CSVs. */
function cellText(cell: string): string {
  if (/^[\0-\x7f]*$/.test(cell)) return cell
  const bytes = Buffer.from(cell, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : cell
}

/** The known columns by their places; undefined for those that nothing reads. */
function columnsOf(
  heads: readonly string[],
  { required, optional }: CsvTable,
): readonly (string | undefined)[] {
  const known = [...required, ...optional]
  const columns = heads.map((head) => {
    const name = head.trim().toLowerCase()
    return known.find((column) => column.toLowerCase() === name)
  })
  const missing = required.filter((column) => !columns.includes(column))
  const [field] = missing
  // Of another table, none is there.
  if (missing.length === required.length) throw new SettlementFileError('wrong-report', { line: 1 })
  if (field !== undefined) throw new SettlementFileError('missing-column', { line: 1, field })
  const twice = columns.find((column, i) => column !== undefined && columns.indexOf(column) < i)
  if (twice !== undefined) throw new SettlementFileError('bad-value', { line: 1, field: twice })
  return columns
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

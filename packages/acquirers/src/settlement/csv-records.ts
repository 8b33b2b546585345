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
  /** As the first line may write them; the names are compared without case. */
  readonly required: readonly string[]
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
  { delimiter, required }: CsvTable,
): AsyncGenerator<CsvRecord, void> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: LINE_LENGTH_MAX,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  // Its errors come by the parser, too.
  pipeline(Readable.from(text), parser, () => undefined)
  let columns: readonly string[] | undefined
  let count = 0
  try {
    for await (const parsed of parser as AsyncIterable<ParsedRecord>) {
      const { info, record } = parsed
      const line = info.lines
      if (columns === undefined) {
        columns = columnsOf(record, required)
        continue
      }
      refuseCardNumbers(record, columns, line)
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

function columnsOf(heads: readonly string[], required: readonly string[]): readonly string[] {
  const columns = heads.map((head) => head.trim().toLowerCase())
  const missing = required.filter((column) => !columns.includes(column.toLowerCase()))
  const [field] = missing
  // Of another table, none is there.
  if (missing.length === required.length) throw new SettlementFileError('wrong-report', { line: 1 })
  if (field !== undefined) throw new SettlementFileError('missing-column', { line: 1, field })
  return columns
}

function refuseCardNumbers(
  record: readonly string[],
  columns: readonly string[],
  line: number,
): void {
  for (const [i, cell] of record.entries())
    if (cell.length >= CARD_DIGITS_MIN && holdsCardNumber(cell))
      throw new SettlementFileError('card-number', { line, field: columns[i] ?? String(i + 1) })
}

function recordOf(record: readonly string[], columns: readonly string[], line: number): CsvRecord {
  return { line, cell: (column) => (record[columns.indexOf(column.toLowerCase())] ?? '').trim() }
}

function refusalOf({ code, ...context }: CsvError): SettlementFileError {
  const { lines } = context as { readonly lines?: number }
  const place = typeof lines === 'number' ? { line: lines } : {}
  if (code === 'CSV_MAX_RECORD_SIZE') return new SettlementFileError('line-too-long', place)
  // An open quotation mark takes in all that follows.
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new SettlementFileError('incomplete', place)
  return new SettlementFileError('bad-value', place)
}

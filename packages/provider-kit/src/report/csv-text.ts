// CSV by RFC 4180, with limits on input that costs its sender a byte: csv-parse makes a cell of
// each delimiter of an endless line, and an error object of each record of another length.
import { SettlementFileError } from '@cofre/contracts'
import { LINE_LENGTH_MAX } from './file-text.js'

/** Reports of acquirers have about thirty. */
export const COLUMNS_MAX = 256

export interface TextRecord {
  /** Line number in the file, from 1; the last one of a record over several lines. */
  readonly line: number
  readonly cells: readonly string[]
}

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** The reader's position: before a cell, in it, in quotation marks, or after a closing one. */
type CellState = 'before' | 'plain' | 'quoted' | 'closed'

/**
 * The records of a text, without empty lines. A record ends at a carriage return, a line feed or
 * both.
 * @throws SettlementFileError `line-too-long`; `bad-value` for a column too many or a quotation
 *   mark inside a cell; `incomplete` for a quotation that is never closed
 */
export async function* textRecords(
  text: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<TextRecord, void> {
  const reader = new RecordReader(delimiter)
  for await (const piece of text) yield* reader.read(piece)
  yield* reader.end()
}

class RecordReader {
  readonly #delimiter: number
  #line = 1
  #cells: string[] = []
  #cell = ''
  #state: CellState = 'before'
  /** Length of the record, in bytes. */
  #length = 0
  #before = 0

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0)
  }

  *read(piece: string): Generator<TextRecord, void> {
    let from = 0
    for (let at = 0; at < piece.length; at += 1) {
      const letter = piece.charCodeAt(at)
      const isSecondOfPair = letter === LINE_FEED && this.#before === CARRIAGE_RETURN
      const isLineEnd = letter === CARRIAGE_RETURN || letter === LINE_FEED
      this.#before = letter
      this.#countByte()
      if (this.#state === 'quoted') {
        if (isLineEnd && !isSecondOfPair) this.#line += 1
        if (letter !== QUOTE) continue
        this.#cell += piece.slice(from, at)
        this.#state = 'closed'
        from = at + 1
      } else if (letter === this.#delimiter || isLineEnd) {
        this.#endCell(piece.slice(from, at))
        from = at + 1
        if (isLineEnd) yield* this.#endRecord(isSecondOfPair)
      } else if (letter === QUOTE) {
        from = this.#openQuote() === 'doubled' ? at : at + 1
      } else {
        if (this.#state === 'closed') this.#refuse('bad-value')
        this.#state = 'plain'
      }
    }
    this.#cell += piece.slice(from)
  }

  *end(): Generator<TextRecord, void> {
    if (this.#state === 'quoted') this.#refuse('incomplete')
    this.#endCell('')
    yield* this.#endRecord(true)
  }

  #countByte(): void {
    this.#length += 1
    if (this.#length > LINE_LENGTH_MAX) this.#refuse('line-too-long')
  }

  /** A quotation mark after a closing one is part of the cell. */
  #openQuote(): 'doubled' | 'opening' {
    if (this.#state === 'plain') this.#refuse('bad-value')
    const quote = this.#state === 'closed' ? 'doubled' : 'opening'
    this.#state = 'quoted'
    return quote
  }

  #endCell(rest: string): void {
    this.#cells.push(this.#cell + rest)
    this.#cell = ''
    this.#state = 'before'
    if (this.#cells.length > COLUMNS_MAX) this.#refuse('bad-value', String(this.#cells.length))
  }

  *#endRecord(isOfLineBefore: boolean): Generator<TextRecord, void> {
    const cells = this.#cells
    this.#cells = []
    this.#length = 0
    if (cells.length > 1 || cells[0] !== '') yield { line: this.#line, cells }
    if (!isOfLineBefore) this.#line += 1
  }

  #refuse(problem: 'bad-value' | 'incomplete' | 'line-too-long', field?: string): never {
    throw new SettlementFileError(problem, { line: this.#line, ...(field && { field }) })
  }
}

// The records of a return file: lines of fixed width, repaired after changes on the file's way.
import { Buffer } from 'node:buffer'
import { setImmediate as turn } from 'node:timers/promises'
import { SettlementFileError } from '@cofre/contracts'
import type { FileRecord } from '../record/record-field.js'
import { RETURN_FILE_BYTES_MAX } from './return-size.js'

/** At least 120 bytes per line: the narrowest records, each with an empty line after it. */
const LINES_MAX = Math.ceil(RETURN_FILE_BYTES_MAX / 120)

/** The event loop runs after this many records, or this many bytes of them. */
export const RECORDS_PER_TURN = 500
const BYTES_PER_TURN = 64 * 1024

/** Records are far shorter, but the filler of a tape's last block may follow one. */
const LINE_LENGTH_MAX = 64 * 1024

/** Some programs write an extra carriage return; printers' files have form feeds. */
const LINE_END = /\r{0,2}\n|[\r\f\v]/g
/** UTF-8 marks, also in a file that is not UTF-8; no program writes more. */
const MARKS = /^(?:\ufeff|\u00ef\u00bb\u00bf){1,9}/
/** Blanks, the end of a file in CP/M (Ctrl-Z), and fillers of a tape's blocks. */
const FILLERS: ReadonlySet<number> = new Set(
  Array.from('\0\x1a \t\ufeff\u00ef\u00bb\u00bf', (character) => character.charCodeAt(0)),
)

/**
 * The file's records, without text that a mail program, an editor or a bank's portal put around
 * them. Empty lines are left out, but counted.
 * @throws SettlementFileError `too-large`, `not-text`, `wrong-length`
 */
export async function recordsOf(content: Uint8Array): Promise<readonly FileRecord[]> {
  if (content.length > RETURN_FILE_BYTES_MAX) throw new SettlementFileError('too-large')
  const records: FileRecord[] = []
  for await (const record of linesOf(decoded(content).replace(MARKS, ''))) {
    const text = blankedEnd(record.text)
    if (text.trim() !== '') records.push({ line: record.line, text })
  }
  if (records.length === 0) throw new SettlementFileError('not-text')
  for (const { line, text } of records) {
    const at = text.indexOf('\0')
    // UTF-16 has such characters, too.
    if (at !== -1) throw new SettlementFileError('not-text', { line, column: at + 1 })
  }
  return records
}

async function* linesOf(text: string): AsyncGenerator<FileRecord, void> {
  let line = 1
  let from = 0
  let turnedAt = 0
  for (const { 0: lineEnd, index } of text.matchAll(LINE_END)) {
    yield lineOf(text, { line, from, to: index })
    from = index + lineEnd.length
    line += 1
    if (line > LINES_MAX) throw new SettlementFileError('too-large')
    if (line % RECORDS_PER_TURN !== 0 && from - turnedAt < BYTES_PER_TURN) continue
    await turn()
    turnedAt = from
  }
  yield lineOf(text, { line, from, to: text.length })
}

function lineOf(
  text: string,
  { line, from, to }: { readonly line: number; readonly from: number; readonly to: number },
): FileRecord {
  if (to - from > LINE_LENGTH_MAX)
    throw new SettlementFileError('wrong-length', { line, column: LINE_LENGTH_MAX + 1 })
  return { line, text: text.slice(from, to) }
}

/** Keeps the length: blanks at the end of a record may be part of it. */
function blankedEnd(text: string): string {
  let end = text.length
  while (end > 0 && FILLERS.has(text.charCodeAt(end - 1))) end -= 1
  return text.slice(0, end).padEnd(text.length)
}

/** Banks write one byte per letter; a program that saved the file since may have written two. */
function decoded(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1')
  }
}

/**
 * The record at this width: trailing blanks may be missing, or too many.
 * @param needed - Columns that must be present.
 * @throws SettlementFileError `wrong-length` at the first column that is missing, or too many
 */
export function widened(
  { line, text }: FileRecord,
  width: number,
  needed: number = width,
): FileRecord {
  const { length } = text
  if (length < needed)
    throw new SettlementFileError('wrong-length', {
      line,
      column: length + 1,
      expected: String(width),
      found: String(length),
    })
  if (length > width && text.slice(width).trim() !== '')
    throw new SettlementFileError('wrong-length', {
      line,
      column: width + 1,
      expected: String(width),
      found: String(length),
    })
  return { line, text: text.slice(0, width).padEnd(width) }
}

/**
 * Compares a field with its expected text, case-insensitively.
 * @throws SettlementFileError
 */
export function expectText(
  record: FileRecord,
  [from, expected]: readonly [from: number, expected: string],
  problem: 'wrong-report' | 'wrong-record' = 'wrong-record',
): void {
  const found = record.text.slice(from - 1, from - 1 + expected.length)
  if (found.toUpperCase() !== expected)
    throw new SettlementFileError(problem, { line: record.line, column: from, expected, found })
}

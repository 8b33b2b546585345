// The records of a return file: lines of fixed width, whatever became of the file on its way.
import { Buffer } from 'node:buffer'
import { SettlementFileError } from '@cofre/contracts'
import type { FileRecord } from './record-field.js'

/** A day of a large store has some thousand lines of 400. */
export const RETURN_FILE_BYTES_MAX: number = 32 * 1024 * 1024

/** The end of a file, to CP/M and what came after it. */
const CTRL_Z = 0x1a
const ENDS = new Set([CTRL_Z, ...Buffer.from('\r\n')])

/**
 * Its lines, without what a mail program, an editor or a bank's portal put at the file's ends.
 * @throws SettlementFileError `too-large`, `not-text`
 */
export function recordsOf(content: Uint8Array): readonly FileRecord[] {
  if (content.length > RETURN_FILE_BYTES_MAX) throw new SettlementFileError('too-large')
  // UTF-16, too, has such bytes.
  if (content.includes(0)) throw new SettlementFileError('not-text')
  let end = content.length
  while (end > 0 && ENDS.has(content[end - 1] ?? 0)) end -= 1
  if (end === 0) throw new SettlementFileError('not-text')
  const lines = decoded(content.subarray(0, end)).split('\n')
  return lines.map((text, index) => ({
    line: index + 1,
    text: text.endsWith('\r') ? text.slice(0, -1) : text,
  }))
}

/** Banks write a byte for each letter; whoever saved the file since may have made two of some. */
function decoded(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1')
  }
}

/**
 * The record, so wide: blanks at its end may be missing, or too many.
 * @param needed - Columns that have to be there.
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
 * Holds a field against what has to stand there.
 * @throws SettlementFileError
 */
export function expectThere(
  record: FileRecord,
  [from, expected]: readonly [from: number, expected: string],
  problem: 'wrong-report' | 'wrong-record' = 'wrong-record',
): void {
  const found = record.text.slice(from - 1, from - 1 + expected.length)
  if (found !== expected)
    throw new SettlementFileError(problem, { line: record.line, column: from, expected, found })
}

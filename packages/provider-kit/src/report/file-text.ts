// The text of an uploaded file, in pieces.
import { Buffer, isUtf8 } from 'node:buffer'
import { setImmediate as turn } from 'node:timers/promises'
import { SETTLEMENT_FILE_BYTES_MAX, SettlementFileError } from '@cofre/contracts'

/** Lines of all formats are far shorter. The limit also applies to a record over several lines. */
export const LINE_LENGTH_MAX: number = 8 * 1024

/**
 * The event loop runs after this many bytes. A cell, a record and a line have at least one byte
 * each, which limits their number, too.
 */
export const BYTES_PER_TURN: number = 4 * 1024

/** UTF-8 marks. A file that was saved twice has two. */
const MARKS = /^(?:\u00ef\u00bb\u00bf)+/
const UTF16_MARK = /^(?:\u00ff\u00fe|\u00fe\u00ff)/
/** No program writes more marks than these. */
const MARKS_BYTES = 6

/** Some programs write an extra carriage return. */
const LINE_END = /\r{0,2}\n|[\r\f\v]/

/**
 * The text as it arrives, one character per byte, without UTF-8 marks and the trailing NULs of its
 * last block.
 * @throws SettlementFileError `not-text`, `too-large`
 */
export async function* decodeText(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void> {
  let bytes = 0
  let begin: string | undefined = ''
  let isEnded = false
  for await (const chunk of inTurns(content)) {
    bytes += chunk.length
    if (bytes > SETTLEMENT_FILE_BYTES_MAX) throw new SettlementFileError('too-large')
    const text = withoutFill(chunk)
    // UTF-16 has such bytes, too.
    if (text.includes('\0') || (isEnded && text !== '')) throw new SettlementFileError('not-text')
    isEnded ||= text.length < chunk.length
    if (begin === undefined) {
      yield text
      continue
    }
    begin += text
    if (UTF16_MARK.test(begin)) throw new SettlementFileError('not-text')
    if (begin.length < MARKS_BYTES) continue
    yield begin.replace(MARKS, '')
    begin = undefined
  }
  if (begin !== undefined) yield begin.replace(MARKS, '')
}

/** Content of any size in small parts; the event loop runs after each. */
async function* inTurns(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content)
    for (let at = 0; at < chunk.length; at += BYTES_PER_TURN) {
      yield chunk.subarray(at, at + BYTES_PER_TURN)
      await turn()
    }
}

function withoutFill(chunk: Uint8Array): string {
  let end = chunk.length
  while (end > 0 && chunk[end - 1] === 0) end -= 1
  return Buffer.from(chunk.buffer, chunk.byteOffset, end).toString('latin1')
}

/** The end of a file in CP/M and DOS. */
const CTRL_Z = '\x1a'

/** True if a line has no content. */
export function isEmptyLine(line: string): boolean {
  return line.replaceAll(CTRL_Z, '').trim() === ''
}

/**
 * Lines without their ends.
 * @throws SettlementFileError `line-too-long`
 */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = ''
  let count = 0
  for await (const piece of text) {
    const begun = rest + piece
    // After the last carriage returns, a line feed may come with the next piece.
    const end = begun.length - (/\r{1,2}$/.exec(begun.slice(-2))?.[0].length ?? 0)
    const lines = begun.slice(0, end).split(LINE_END)
    rest = (lines.pop() ?? '') + begun.slice(end)
    for (const line of lines) {
      count += 1
      yield checkedLine(line, count)
    }
    checkedLine(rest, count + 1)
  }
  for (const line of rest.split(LINE_END)) {
    count += 1
    yield checkedLine(line, count)
  }
}

function checkedLine(line: string, at: number): string {
  if (line.length > LINE_LENGTH_MAX) throw new SettlementFileError('line-too-long', { line: at })
  return line
}

/** Latin-1 with dashes and quotation marks. */
const WINDOWS_1252 = new TextDecoder('windows-1252')

/** Decodes a text as UTF-8, or else as Windows spreadsheets save CSVs, without invisible marks. */
export function meantText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  const meant = isUtf8(bytes) ? bytes.toString() : WINDOWS_1252.decode(bytes)
  return meant.replaceAll(/\p{Cf}/gu, '')
}

/** The line that sets a spreadsheet's separator; spreadsheets preserve it, or pad it. */
const SEPARATOR = /^[\s"]*sep\s*=/i

/** True if a line of a table may be its column names. */
export function isHeading(line: string): boolean {
  return !isEmptyLine(line.replaceAll(/[;,"]/g, '')) && !SEPARATOR.test(line)
}

interface Heading {
  /** Line number in the file, from 1. */
  readonly line: number
  readonly heading: string
}

/** The heading, and the whole text again. */
export async function peekHeading(
  text: AsyncIterable<string>,
): Promise<Heading & { readonly text: AsyncIterable<string> }> {
  const pieces = text[Symbol.asyncIterator]()
  let begin = ''
  const mayBeHeading = (line: string): boolean => isHeading(meantText(line))
  while (!begin.split(LINE_END).slice(0, -1).some(mayBeHeading)) {
    const next = begin.length <= LINE_LENGTH_MAX ? await pieces.next() : undefined
    if (next === undefined || next.done === true) break
    begin += next.value
  }
  async function* again(): AsyncGenerator<string, void> {
    yield begin
    for (;;) {
      const next = await pieces.next()
      if (next.done === true) return
      yield next.value
    }
  }
  const lines = begin.split(LINE_END)
  const at = lines.findIndex(mayBeHeading)
  return { line: at + 1, heading: lines[at] ?? '', text: again() }
}

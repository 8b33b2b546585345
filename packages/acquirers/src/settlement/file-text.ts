// The text of an uploaded file, in pieces.
import { Buffer } from 'node:buffer'
import { SETTLEMENT_FILE_BYTES_MAX, SettlementFileError } from '@cofre/contracts'

/** Lines of all formats are far shorter. */
export const LINE_LENGTH_MAX: number = 64 * 1024

const UTF8_MARK = '\u00ef\u00bb\u00bf'

/**
 * The text as it arrives, a letter for each byte, without the mark of UTF-8.
 * @throws SettlementFileError `not-text`, `too-large`
 */
export async function* textOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let bytes = 0
  let begin: string | undefined = ''
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > SETTLEMENT_FILE_BYTES_MAX) throw new SettlementFileError('too-large')
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    // UTF-16, too, has such bytes.
    if (text.includes('\0')) throw new SettlementFileError('not-text')
    if (begin === undefined) {
      yield text
      continue
    }
    begin += text
    if (begin.length < UTF8_MARK.length) continue
    yield withoutMark(begin)
    begin = undefined
  }
  if (begin !== undefined) yield withoutMark(begin)
}

function withoutMark(text: string): string {
  return text.startsWith(UTF8_MARK) ? text.slice(UTF8_MARK.length) : text
}

/**
 * Lines without their ends.
 * @throws SettlementFileError `line-too-long`
 */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = ''
  let count = 0
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      count += 1
      yield checkedLine(line, count)
    }
    checkedLine(rest, count + 1)
  }
  if (rest !== '') yield checkedLine(rest, count + 1)
}

function checkedLine(line: string, at: number): string {
  if (line.length > LINE_LENGTH_MAX) throw new SettlementFileError('line-too-long', { line: at })
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** The text again, once its first line was looked at. */
export async function peekFirstLine(
  text: AsyncIterable<string>,
): Promise<{ readonly first: string; readonly text: AsyncIterable<string> }> {
  const pieces = text[Symbol.asyncIterator]()
  let begin = ''
  while (!begin.includes('\n') && begin.length <= LINE_LENGTH_MAX) {
    const next = await pieces.next()
    if (next.done === true) break
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
  return { first: begin.split('\n', 1)[0] ?? '', text: again() }
}

import { Buffer } from 'node:buffer'
import { SettlementFileError, type SettlementLine } from '@cofre/contracts'
import { namedLines, settledLines } from '@cofre/provider-kit/bank'
import { RETURN_FILE_BYTES_MAX } from './return-size.js'
import { readReturnFile } from './return-reader.js'

/**
 * Reads only the money of a return file.
 * @throws SettlementFileError
 */
export async function* readReturnSettlement(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<SettlementLine, void> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > RETURN_FILE_BYTES_MAX) throw new SettlementFileError('too-large')
    chunks.push(chunk)
  }
  const { header, lines } = await readReturnFile(Buffer.concat(chunks))
  const day = header.writtenOn
  if (day === undefined) throw new SettlementFileError('bad-value', { line: 1 })
  const named = await namedLines('', lines)
  const unmatched = named.map((line) => ({ line, transactionCode: undefined }))
  yield* settledLines(unmatched, { isBankByFile: false, day })
}

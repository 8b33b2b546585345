import { SettlementFileError, type SettlementLine } from '@cofre/contracts'
import { OWN_FORMAT } from '../../../../settlements/src/own-format.js'
import { loadReports } from '../index.js'

const FORMATS = [...(await loadReports()), OWN_FORMAT]

export type AcquirerFormat = 'adyen' | 'cielo' | 'cofre'

async function* inPieces(bytes: Uint8Array, sizes: readonly number[] = []) {
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    yield await Promise.resolve(bytes.subarray(at, at + size))
    at += size
  }
}

/** The lines of a file that arrives in pieces of these sizes. */
export async function linesOf(
  format: AcquirerFormat,
  content: string | Uint8Array,
  sizes: readonly number[] = [],
): Promise<SettlementLine[]> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const lines: SettlementLine[] = []
  const read = await FORMATS.find(({ name }) => name === format)!.loadReader()
  for await (const line of read(inPieces(bytes, sizes), 'production')) lines.push(line)
  return lines
}

/** The problem, line and field of its refusal; else `none`. */
export const problemOf = async (format: AcquirerFormat, content: string | Uint8Array) => {
  try {
    await linesOf(format, content)
  } catch (error) {
    if (error instanceof SettlementFileError) {
      const { line, field } = error.place
      return [error.problem, line, field].filter((part) => part !== undefined).join(' ')
    }
    throw error
  }
  return 'none'
}

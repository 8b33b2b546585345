import { SettlementFileError } from '@cofre/contracts'
import { type Options, parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COLUMNS_MAX, textRecords } from './csv-text.js'
import { LINE_LENGTH_MAX } from './file-text.js'

async function* inPieces(text: string, size = text.length + 1) {
  for (let at = 0; at < text.length; at += size)
    yield await Promise.resolve(text.slice(at, at + size))
}

/** The cells of each record, or `refused`. */
async function cellsOf(text: string, size?: number) {
  const records: (readonly string[])[] = []
  try {
    for await (const { cells } of textRecords(inPieces(text, size), ';')) records.push(cells)
  } catch (error) {
    if (error instanceof SettlementFileError) return 'refused'
    throw error
  }
  return records
}

const PEER: Options = {
  delimiter: ';',
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
}

function peersCellsOf(text: string): unknown {
  try {
    // Our reader also drops a record whose only cell is two quotation marks.
    const records = parse(text, PEER)
    return records.filter((cells) => cells.length > 1 || cells[0] !== '')
  } catch {
    return 'refused'
  }
}

describe('the records of a CSV', () => {
  it('are those that csv-parse reads, wherever the text is cut', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', ';', '"', '\r', '\n'), maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 31 }), async (of, size) => {
        expect(await cellsOf(of, size)).toEqual(peersCellsOf(of))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    [
      'columns',
      ';'.repeat(COLUMNS_MAX),
      { problem: 'bad-value', place: { line: 2, field: '257' } },
    ],
    ['bytes', 'x'.repeat(LINE_LENGTH_MAX + 1), { problem: 'line-too-long', place: { line: 2 } }],
    [
      'bytes over several lines',
      `"${'x\n'.repeat(LINE_LENGTH_MAX / 2)}"`,
      { problem: 'line-too-long' },
    ],
  ])('have a limit of %s', async (_, record, refusal) => {
    const reading = async () => {
      for await (const { cells } of textRecords(inPieces(`a;b\n${record}`), ';'))
        expect(cells).toEqual(['a', 'b'])
    }
    await expect(reading()).rejects.toMatchObject(refusal)
  })
})

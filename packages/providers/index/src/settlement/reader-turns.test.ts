import { describe, expect, it } from 'vitest'
import { turnsDuring } from '../../../../../test/turns.js'
import { BYTES_PER_TURN } from '@cofre/provider-kit/report'
import { problemOf } from './read-lines.fixture.js'
import { ADYEN_LINES, CIELO_LINES, COFRE_LINES } from './settlement-files.fixture.js'

const BYTES = 256 * 1024

/** A repeated line after the head of a file. */
function filled([head = '']: readonly string[], line: string): string {
  const lines = line.repeat(Math.ceil(BYTES / line.length))
  return `${head}\n${lines}`
}

describe('a file that comes as one piece', () => {
  it.each([
    ['cofre', 'its lines', filled(COFRE_LINES, '2026-10-01;sale;1;0;;;;;;;;;;\n')],
    ['cofre', 'empty rows', filled(COFRE_LINES, ';\n')],
    ['cofre', 'empty lines', filled(COFRE_LINES, '\n')],
    ['adyen', 'its lines', filled(ADYEN_LINES, `${ADYEN_LINES[1] ?? ''}\n`)],
    ['adyen', 'empty rows', filled(ADYEN_LINES, `${','.repeat(255)}\n`)],
    ['cielo', 'short records', filled(CIELO_LINES, 'A\n')],
    ['cielo', 'empty lines', filled(CIELO_LINES, '\n')],
    ['cielo', 'parts of a record', filled(CIELO_LINES, `${'1 '.repeat(4000)}\n`)],
  ] as const)('%s: lets the event loop turn while %s are read', async (format, _, content) => {
    const turns = await turnsDuring(() => problemOf(format, content))
    expect(turns).toBeGreaterThanOrEqual(content.length / BYTES_PER_TURN - 1)
  })

  it.each([
    ['cofre', filled(COFRE_LINES, ';'), 'bad-value 2 257'],
    ['cofre', ';'.repeat(BYTES), 'bad-value 1 257'],
    ['cofre', filled(COFRE_LINES, `"${'1 '.repeat(40_000)}`), 'line-too-long 2'],
    ['adyen', filled(ADYEN_LINES, ','), 'bad-value 2 257'],
    ['cielo', filled(CIELO_LINES, '1 '), 'line-too-long 2'],
  ] as const)('%s: is refused at its first endless record', async (format, content, problem) => {
    const turns = await turnsDuring(async () => {
      await expect(problemOf(format, content)).resolves.toBe(problem)
    })
    // The rest is not read.
    expect(turns).toBeLessThan(8)
  })
})

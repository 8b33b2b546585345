import { createHash } from 'node:crypto'
import { inTurns } from '@cofre/work'
import type { ReturnLine } from './return-file.js'

/** A line with its name, which is the same in any other file. */
export interface NamedLine extends ReturnLine {
  readonly id: string
}

const ID_LENGTH = 24
/** The event loop runs after this many digests. */
const LINES_PER_TURN = 500

/**
 * Names lines by their content and boleto: equal lines of two files have the same name. Equal lines
 * of one file have different names, because the boleto was paid twice on a day.
 */
export async function namedLines(
  accountId: string,
  lines: readonly ReturnLine[],
): Promise<readonly NamedLine[]> {
  const seen = new Map<string, number>()
  const named: NamedLine[] = []
  for await (const line of inTurns(lines, LINES_PER_TURN)) {
    const { code, occurredOn, ourNames, ourNumber, paidMinor, feeMinor, kind } = line
    const boleto = bareNumber(ourNumber) ?? ourNames[0] ?? `line ${line.line}`
    // A fee may be reported in only one of two files, so it is no part of a payment's name.
    const amount = kind === 'paid' ? paidMinor : feeMinor
    const identity = JSON.stringify([accountId, boleto, code, occurredOn ?? '', amount])
    const before = seen.get(identity) ?? 0
    seen.set(identity, before + 1)
    const digest = createHash('sha256').update(`${identity} ${before}`).digest('hex')
    named.push({ ...line, id: digest.slice(0, ID_LENGTH) })
  }
  return named
}

/** The number without leading zeros. */
export function bareNumber(ourNumber: string | undefined): string | undefined {
  return ourNumber?.replace(/^0+/, '')
}

/** The payment id of a line. */
export function paymentIdOf(lineId: string): string {
  return `cnab-${lineId}`
}

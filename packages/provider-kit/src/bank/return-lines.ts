import { createHash } from 'node:crypto'
import { inTurns } from '@cofre/work'
import type { ReturnLine } from './return-file.js'

/** A line with its name, by which it is known again in any other file. */
export interface NamedLine extends ReturnLine {
  readonly id: string
}

const ID_LENGTH = 24
/** After so many digests the event loop turns. */
const LINES_PER_TURN = 500

/**
 * Names lines by what they say of which boleto: a line of another file that says the same is the
 * same. Where a file says it twice, these are two: somebody has paid twice on a day.
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
    // A fee may be told in one of two files alone: it is no part of a payment's name.
    const amount = kind === 'paid' ? paidMinor : feeMinor
    const said = JSON.stringify([accountId, boleto, code, occurredOn ?? '', amount])
    const before = seen.get(said) ?? 0
    seen.set(said, before + 1)
    const digest = createHash('sha256').update(`${said} ${before}`).digest('hex')
    named.push({ ...line, id: digest.slice(0, ID_LENGTH) })
  }
  return named
}

/** Without the zeros that it is filled up with. */
export function bareNumber(ourNumber: string | undefined): string | undefined {
  return ourNumber?.replace(/^0+/, '')
}

/** The name of the money of a line. */
export function paymentIdOf(lineId: string): string {
  return `cnab-${lineId}`
}

// The money in a return file, as the console compares and sums it.
import type { SettlementLine } from '@cofre/contracts'
import { type NamedLine, paymentIdOf } from './return-lines.js'

/** A line and its boleto. */
interface MatchedLine {
  readonly line: NamedLine
  /** Undefined if the account has no such boleto. */
  readonly transactionCode: number | undefined
}

interface FileFacts {
  /** True if payments were recorded by the names of their lines. */
  readonly isBankByFile: boolean
  /** The day of a line without a date of its own, `YYYY-MM-DD`. */
  readonly day: string
}

/**
 * Payments and fees; and lines without a known boleto, so that staff see them. A mere confirmation
 * about a known boleto is not money.
 */
export function settledLines(
  lines: readonly MatchedLine[],
  facts: FileFacts,
): readonly SettlementLine[] {
  return lines.flatMap((whose) => {
    const line = settledLine(whose, facts)
    return line === undefined ? [] : [line]
  })
}

function settledLine(
  { line, transactionCode }: MatchedLine,
  { isBankByFile, day }: FileFacts,
): SettlementLine | undefined {
  const { id, kind, ourNumber, paidMinor, feeMinor } = line
  const reported = {
    line: line.line,
    transactionCode: transactionCode === undefined ? undefined : String(transactionCode),
    // The name that the store, or Cofre, gave the boleto.
    reference: line.ourNames[0],
    acquirerId: ourNumber,
    paidOn: line.creditedOn ?? line.occurredOn ?? day,
    entryId: id,
    feeMinor,
  }
  if (kind === 'paid' && paidMinor > 0)
    return {
      ...reported,
      kind: 'sale',
      ...(isBankByFile && transactionCode !== undefined && { endToEndId: paymentIdOf(id) }),
      grossMinor: paidMinor,
      netMinor: paidMinor - feeMinor,
    }
  if (kind === 'reversed')
    return {
      ...reported,
      kind: 'other',
      grossMinor: 0 - paidMinor,
      netMinor: 0 - paidMinor - feeMinor,
    }
  if (feeMinor > 0 || kind === 'fee')
    return { ...reported, kind: 'fee', grossMinor: 0, netMinor: 0 - feeMinor }
  if (transactionCode !== undefined) return undefined
  return { ...reported, kind: 'other', grossMinor: 0, netMinor: 0 }
}

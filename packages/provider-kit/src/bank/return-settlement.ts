// The money in a return file, as the console compares and sums it.
import type { SettlementLine } from '@cofre/contracts'
import { type NamedLine, paymentIdOf } from './return-lines.js'

/** A line, and whose it is. */
interface MatchedLine {
  readonly line: NamedLine
  /** Undefined where the account has no such boleto. */
  readonly transactionCode: number | undefined
}

interface FileFacts {
  /** Payments were recorded by the names of their lines. */
  readonly isBankByFile: boolean
  /** Of a line without one, `YYYY-MM-DD`. */
  readonly day: string
}

/**
 * Payments and fees; and whatever is nobody's, so that somebody sees it. What a bank only confirms
 * of a boleto that is known is no money.
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
  const said = {
    line: line.line,
    transactionCode: transactionCode === undefined ? undefined : String(transactionCode),
    // As the store, or Cofre, called the boleto.
    reference: line.ourNames[0],
    acquirerId: ourNumber,
    paidOn: line.creditedOn ?? line.occurredOn ?? day,
    entryId: id,
    feeMinor,
  }
  if (kind === 'paid' && paidMinor > 0)
    return {
      ...said,
      kind: 'sale',
      ...(isBankByFile && transactionCode !== undefined && { endToEndId: paymentIdOf(id) }),
      grossMinor: paidMinor,
      netMinor: paidMinor - feeMinor,
    }
  if (kind === 'reversed')
    return { ...said, kind: 'other', grossMinor: 0 - paidMinor, netMinor: 0 - paidMinor - feeMinor }
  if (feeMinor > 0 || kind === 'fee')
    return { ...said, kind: 'fee', grossMinor: 0, netMinor: 0 - feeMinor }
  if (transactionCode !== undefined) return undefined
  return { ...said, kind: 'other', grossMinor: 0, netMinor: 0 }
}

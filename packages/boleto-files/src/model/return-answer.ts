// Converts a boleto's lines in return files into the answer that a bank with an API would give.
import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import {
  type BankBoleto,
  type BoletoPayment,
  type NamedLine,
  type ReturnLine,
  paymentIdOf,
} from '@cofre/provider-kit/bank'
import type { TransactionCode } from '@cofre/gateway/room'

/** A line, and its transaction. */
export interface MatchedLine {
  readonly line: NamedLine
  /** Undefined if the account has no such boleto. */
  readonly transactionCode: TransactionCode | undefined
}

/** The known facts of a boleto; undefined as long as no line is conclusive. */
export interface ReturnAnswer {
  readonly state: Extract<BankBoleto['state'], 'open' | 'paid' | 'removed' | 'expired' | 'failed'>
  readonly payments: readonly BoletoPayment[]
  /** Why issuing failed: the bank's codes. */
  readonly reason: string | undefined
}

/** @param dueDate - The boleto's, `YYYY-MM-DD`. */
export function answerOf(lines: readonly NamedLine[], dueDate: string): ReturnAnswer | undefined {
  const payments = lines.flatMap(paymentOf)
  const state = stateOf(lines, payments.length > 0, dueDate)
  if (state === undefined) return undefined
  const rejected = state === 'failed' ? lines.find(({ kind }) => kind === 'rejected') : undefined
  return { state, payments, reason: rejected && rejectionText(rejected) }
}

function stateOf(
  lines: readonly NamedLine[],
  isPaid: boolean,
  dueDate: string,
): ReturnAnswer['state'] | undefined {
  if (isPaid) return 'paid'
  const writtenOff = lines.find(({ kind }) => kind === 'written-off')
  // After the due date, age or a protest ended it; before, the store requested the removal.
  if (writtenOff !== undefined)
    return (writtenOff.occurredOn ?? '') > dueDate ? 'expired' : 'removed'
  if (lines.some(({ kind }) => kind === 'registered')) return 'open'
  return lines.some(({ kind }) => kind === 'rejected') ? 'failed' : undefined
}

/** The middle of the day: a file contains no hour. */
const NOON_MS = 12 * 60 * MINUTE_MS

function paymentOf(line: NamedLine): readonly BoletoPayment[] {
  const { id, kind, occurredOn, paidMinor } = line
  if (kind !== 'paid' || paidMinor === 0) return []
  const day = occurredOn === undefined ? undefined : Date.parse(occurredOn)
  return [
    {
      endToEndId: paymentIdOf(id),
      amountMinor: minorUnits(paidMinor),
      settlesMinor: settledBy(line),
      paidAtMs: day === undefined ? undefined : day + NOON_MS,
      refunds: [],
      way: 'line',
    },
  ]
}

/** With interest or a discount, the paid amount is corrected to the title's value. */
function settledBy({ titleMinor, paidMinor, interestMinor, discountMinor }: NamedLine) {
  if (paidMinor === titleMinor || paidMinor - interestMinor + discountMinor !== titleMinor)
    return undefined
  return minorUnits(titleMinor)
}

function rejectionText({ code, reasons }: ReturnLine): string {
  return `occurrence ${code}${reasons.length === 0 ? '' : `, reasons ${reasons.join(', ')}`}`
}

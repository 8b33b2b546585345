// What the lines of return files say of one boleto, as a bank that can be asked would answer.
import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import {
  type BankBoleto,
  type BoletoPayment,
  type NamedLine,
  type ReturnLine,
  paymentIdOf,
} from '@cofre/provider-kit/bank'
import type { TransactionCode } from '@cofre/gateway/room'

/** A line, and whose it is. */
export interface MatchedLine {
  readonly line: NamedLine
  /** Undefined where the account has no such boleto. */
  readonly transactionCode: TransactionCode | undefined
}

/** What is known of a boleto; undefined as long as no line decides anything. */
export interface ReturnAnswer {
  readonly state: Extract<BankBoleto['state'], 'open' | 'paid' | 'removed' | 'expired' | 'failed'>
  readonly payments: readonly BoletoPayment[]
  /** Of one that failed: the bank's codes. */
  readonly reason: string | undefined
}

/** @param dueDate - Of the boleto, `YYYY-MM-DD`. */
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
  // By its age, or since it was protested; before it was due, somebody has ordered it.
  if (writtenOff !== undefined)
    return (writtenOff.occurredOn ?? '') > dueDate ? 'expired' : 'removed'
  if (lines.some(({ kind }) => kind === 'registered')) return 'open'
  return lines.some(({ kind }) => kind === 'rejected') ? 'failed' : undefined
}

/** In the middle of its day: a file tells no hour. */
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

/** Interest came with it, or a discount was taken off: together they are the title's value. */
function settledBy({ titleMinor, paidMinor, interestMinor, discountMinor }: NamedLine) {
  if (paidMinor === titleMinor || paidMinor - interestMinor + discountMinor !== titleMinor)
    return undefined
  return minorUnits(titleMinor)
}

function rejectionText({ code, reasons }: ReturnLine): string {
  return `occurrence ${code}${reasons.length === 0 ? '' : `, reasons ${reasons.join(', ')}`}`
}

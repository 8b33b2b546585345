// What the lines of return files say of one boleto, as a bank that can be asked would answer.
import { createHash } from 'node:crypto'
import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import { inTurns } from '@cofre/work'
import type { BankBoleto, BoletoPayment } from '../payment-rail/boleto-bank.js'
import type { TransactionCode } from '../transaction/transaction.js'
import type { ReturnLine } from './return-file.js'

/** A line with its name, by which it is known again in any other file. */
export interface NamedLine extends ReturnLine {
  readonly id: string
}

/** A line, and whose it is. */
export interface MatchedLine {
  readonly line: NamedLine
  /** Undefined where the account has no such boleto. */
  readonly transactionCode: TransactionCode | undefined
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

/** The name of the money of a line. */
export function paymentIdOf(lineId: string): string {
  return `cnab-${lineId}`
}

function rejectionText({ code, reasons }: ReturnLine): string {
  return `occurrence ${code}${reasons.length === 0 ? '' : `, reasons ${reasons.join(', ')}`}`
}

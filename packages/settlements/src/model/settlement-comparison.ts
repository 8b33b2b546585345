// Compares a line with the payment that it names.
import {
  type AppliedCardChange,
  type BankPayment,
  type Refund,
  type Transaction,
  accountOf,
  capturedSums,
  hasBeenPaid,
} from '@cofre/gateway/room'
import type { SettlementDifference, SettlementLineKind, SettlementOutcome } from './settlement.js'

/** The compared fields of a line. */
export interface ComparedLine {
  readonly kind: SettlementLineKind
  /** The account of the line's file. */
  readonly accountId: string | undefined
  readonly endToEndId: string | undefined
  readonly installment: number | undefined
  readonly installments: number | undefined
  readonly grossMinor: number
}

/** The known facts of a payment that a line names. */
export interface PaymentFacts {
  readonly transaction: Transaction
  readonly refunds: readonly Refund[]
  readonly changes: readonly Pick<AppliedCardChange, 'kind' | 'atMs'>[]
  readonly pix: readonly Pick<BankPayment, 'endToEndId' | 'amountMinor' | 'purpose'>[]
  /** Earlier lines of this payment and of the same part of it. */
  readonly before: readonly LineBefore[]
}

export interface LineBefore {
  readonly kind: SettlementLineKind
  readonly grossMinor: number
  readonly isMatched: boolean
}

export interface Comparison {
  readonly result: SettlementOutcome
  readonly difference?: SettlementDifference
  /** The line's gross without the difference, in centavos. */
  readonly expectedMinor?: number
}

const MATCHED: Comparison = { result: 'matched' }

/** @param facts - Undefined if the store has no such payment. */
export function compareLine(line: ComparedLine, facts: PaymentFacts | undefined): Comparison {
  if (line.kind === 'fee') return { result: 'no-payment' }
  if (facts === undefined) return { result: line.kind === 'other' ? 'no-payment' : 'unknown' }
  const { transaction } = facts
  const account = accountOf(transaction)
  if (line.accountId !== undefined && account !== undefined && account !== line.accountId)
    return different('account')
  if (!isPart(line, transaction)) return different('parts')
  switch (line.kind) {
    case 'sale':
      return line.endToEndId === undefined ? compareSale(line, facts) : comparePix(line, facts)
    case 'refund':
      return compareRefund(line, facts)
    case 'chargeback':
      return compareChargeback(line, facts)
    case 'chargeback-reversed':
      return facts.changes.some(({ kind }) => kind === 'chargeback_reversed')
        ? compareAmount(line, capturedSums(transaction).chargedMinor)
        : different('status')
    case 'other':
      return different('kind')
  }
}

/** A sale in parts may be paid out whole, but a whole sale in no parts. */
function isPart(
  { installment = 1, installments = 1 }: ComparedLine,
  transaction: Transaction,
): boolean {
  if (installment > installments) return false
  return installments === 1 || installments === transaction.installments
}

function different(difference: SettlementDifference, expectedMinor?: number): Comparison {
  return { result: 'different', difference, ...(expectedMinor !== undefined && { expectedMinor }) }
}

function compareSale(line: ComparedLine, { transaction, before }: PaymentFacts): Comparison {
  if (!hasBeenPaid(transaction)) return different('status')
  if (countOf(before, 'sale') > 0) return different('paid-twice', 0)
  return compareAmount(line, capturedSums(transaction).chargedMinor)
}

/** A chargeback that was reversed since still matches; after that, another one may follow. */
function compareChargeback(
  line: ComparedLine,
  { transaction, changes, before }: PaymentFacts,
): Comparison {
  const wasChargedBack = changes.some(({ kind }) => kind === 'charged_back')
  if (transaction.status !== 'CHARGEBACK' && !wasChargedBack) return different('status')
  const matched = before.filter(({ isMatched }) => isMatched)
  const standing = countOf(matched, 'chargeback') - countOf(matched, 'chargeback-reversed')
  if (standing > 0) return different('paid-twice', 0)
  return compareAmount(line, 0 - capturedSums(transaction).chargedMinor)
}

function countOf(before: readonly LineBefore[], kind: SettlementLineKind): number {
  return before.filter((line) => line.kind === kind).length
}

function comparePix({ endToEndId, grossMinor }: ComparedLine, { pix }: PaymentFacts): Comparison {
  const payment = pix.find((of) => of.endToEndId === endToEndId)
  if (payment === undefined) return { result: 'unknown' }
  if (payment.amountMinor !== grossMinor) return different('amount', payment.amountMinor)
  return payment.purpose === 'order' ? MATCHED : different('surplus', 0)
}

/** Each refund matches one line. */
function compareRefund(line: ComparedLine, { refunds, before }: PaymentFacts): Comparison {
  const made = refunds
    .filter(({ status }) => status === 'PROCESSED')
    .map(({ amountMinor, chargedMinor }) => 0 - (chargedMinor ?? amountMinor))
  const taken = before.filter(
    ({ kind, grossMinor, isMatched }) =>
      kind === 'refund' && isMatched && grossMinor === line.grossMinor,
  ).length
  if (made.filter((amount) => isShare(line, amount)).length > taken) return MATCHED
  const [only, ...others] = made
  return only !== undefined && others.length === 0 && taken === 0
    ? different('amount', shareOf(line, only))
    : different('no-refund')
}

function compareAmount(line: ComparedLine, wholeMinor: number): Comparison {
  return isShare(line, wholeMinor) ? MATCHED : different('amount', shareOf(line, wholeMinor))
}

/** A sale in parts is paid out in parts, and one of them includes the remainder. */
function isShare(line: ComparedLine, wholeMinor: number): boolean {
  const parts = line.installments ?? 1
  const least = Math.trunc(wholeMinor / parts)
  const rest = wholeMinor - least * parts
  const [from, to] = rest < 0 ? [least + rest, least] : [least, least + rest]
  return line.grossMinor >= from && line.grossMinor <= to
}

function shareOf({ installments = 1, installment }: ComparedLine, wholeMinor: number): number {
  const least = Math.trunc(wholeMinor / installments)
  return installment === 1 ? wholeMinor - least * (installments - 1) : least
}

// What a line is, beside the payment that it names.
import { type AppliedCardChange, isChargedBack } from '../card/card-change.js'
import type { PixPayment } from '../payment-rail/pix-charge.js'
import type { Refund } from '../refund/refund.js'
import { accountOf } from '../search/payment-terms.js'
import { type Transaction, hasBeenPaid } from '../transaction/transaction.js'
import type { SettlementDifference, SettlementLineKind, SettlementOutcome } from './settlement.js'

/** What of a line is compared. */
export interface ComparedLine {
  readonly kind: SettlementLineKind
  /** Of the file that it stands in. */
  readonly accountId: string | undefined
  readonly endToEndId: string | undefined
  readonly installment: number | undefined
  readonly installments: number | undefined
  readonly grossMinor: number
}

/** What is known of a payment that a line names. */
export interface PaymentFacts {
  readonly transaction: Transaction
  readonly refunds: readonly Refund[]
  readonly changes: readonly Pick<AppliedCardChange, 'kind' | 'atMs'>[]
  readonly pix: readonly Pick<PixPayment, 'endToEndId' | 'amountMinor' | 'purpose'>[]
  /** Whether another line paid the same sale, or the same part of it. */
  readonly isPaidBefore: boolean
}

export interface Comparison {
  readonly result: SettlementOutcome
  readonly difference?: SettlementDifference
  /** What the line's gross would be without the difference, in centavos. */
  readonly expectedMinor?: number
}

const MATCHED: Comparison = { result: 'matched' }

/** @param facts - Undefined where the store has no such payment. */
export function compareLine(line: ComparedLine, facts: PaymentFacts | undefined): Comparison {
  if (line.kind === 'fee' || line.kind === 'other') return { result: 'no-payment' }
  if (facts === undefined) return { result: 'unknown' }
  const { transaction } = facts
  const account = accountOf(transaction)
  if (line.accountId !== undefined && account !== undefined && account !== line.accountId)
    return different('account')
  switch (line.kind) {
    case 'sale':
      return line.endToEndId === undefined ? compareSale(line, facts) : comparePix(line, facts)
    case 'refund':
      return compareRefund(line, facts)
    case 'chargeback':
      return transaction.status === 'CHARGEBACK' || isChargedBack(facts.changes)
        ? compareAmount(line, 0 - transaction.chargedMinor)
        : different('status')
    case 'chargeback-reversed':
      return facts.changes.some(({ kind }) => kind === 'chargeback_reversed')
        ? compareAmount(line, transaction.chargedMinor)
        : different('status')
  }
}

function different(difference: SettlementDifference, expectedMinor?: number): Comparison {
  return { result: 'different', difference, ...(expectedMinor !== undefined && { expectedMinor }) }
}

function compareSale(line: ComparedLine, { transaction, isPaidBefore }: PaymentFacts): Comparison {
  if (!hasBeenPaid(transaction)) return different('status')
  if (isPaidBefore) return different('paid-twice', 0)
  return compareAmount(line, transaction.chargedMinor)
}

function comparePix({ endToEndId, grossMinor }: ComparedLine, { pix }: PaymentFacts): Comparison {
  const payment = pix.find((of) => of.endToEndId === endToEndId)
  if (payment === undefined) return { result: 'unknown' }
  if (payment.amountMinor !== grossMinor) return different('amount', payment.amountMinor)
  return payment.purpose === 'order' ? MATCHED : different('surplus', 0)
}

function compareRefund(line: ComparedLine, { refunds }: PaymentFacts): Comparison {
  const made = refunds
    .filter(({ status }) => status === 'PROCESSED')
    .map(({ amountMinor, chargedMinor }) => 0 - (chargedMinor ?? amountMinor))
  const [only, ...others] = made
  if (made.some((amount) => isShare(line, amount))) return MATCHED
  return only !== undefined && others.length === 0
    ? different('amount', shareOf(line, only))
    : different('no-refund')
}

function compareAmount(line: ComparedLine, wholeMinor: number): Comparison {
  return isShare(line, wholeMinor) ? MATCHED : different('amount', shareOf(line, wholeMinor))
}

/** A sale in parts is paid out in parts: what cannot be shared out evenly is on one of them. */
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

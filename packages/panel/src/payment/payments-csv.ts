import type { ListedPayment } from '@cofre/search'
import { properName } from '@cofre/pages'
import { type Separator, csvAmount, csvTime } from '../export/csv-format.js'
import type { AccountNames } from '../frame/account-names.js'
import type { View } from '../frame/visit.js'
import { shownDocument, shownEmail, shownName } from './shown-payer.js'
import { PAYMENT_TEXTS } from './texts.js'

interface Reader {
  readonly view: View
  readonly separator: Separator
  readonly accounts: AccountNames
}

/** The list of payments as a table. */
export function paymentsTable(payments: AsyncIterable<ListedPayment>, reader: Reader) {
  const { transactions, transaction } = PAYMENT_TEXTS[reader.view.language]
  const heads = [
    transaction.code,
    transactions.reference,
    transactions.status,
    transactions.method,
    transactions.brand,
    transactions.lastFour,
    transaction.installments,
    transactions.payer,
    transaction.document,
    transactions.email,
    transactions.created,
    transaction.paid,
    transactions.amount,
    transaction.charged,
    transactions.refunded,
    transactions.account,
    transactions.refundNature,
    transactions.accountName,
  ]
  return { heads, rows: rowsOf(payments, reader) }
}

async function* rowsOf(payments: AsyncIterable<ListedPayment>, reader: Reader) {
  for await (const payment of payments) yield rowOf(payment, reader)
}

function rowOf(
  { transaction, payerName, refunds, refundedMinor, account }: ListedPayment,
  { view, separator, accounts }: Reader,
): readonly string[] {
  const isCard = transaction.paymentType === 'credit-card'
  return [
    String(transaction.code),
    transaction.reference,
    transaction.status,
    view.texts.methods[transaction.paymentType],
    isCard ? properName(transaction.subType ?? '') : '',
    transaction.cardLastFour ?? '',
    isCard ? String(transaction.installments) : '',
    shownName(payerName, view),
    // With its punctuation: a spreadsheet takes the zeros before a bare number away.
    shownDocument(transaction.payerDocument, view),
    shownEmail(transaction.payerEmail, view),
    csvTime(transaction.createdAtMs),
    csvTime(transaction.paidAtMs),
    csvAmount(transaction.amountMinor, separator),
    csvAmount(transaction.chargedMinor, separator),
    csvAmount(refundedMinor, separator),
    account ?? '',
    [...new Set(refunds.flatMap(({ nature }) => nature ?? []))].join(' '),
    account === undefined ? '' : accounts.of(account),
  ]
}

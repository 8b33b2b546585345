import type { ListedPayment } from '../../model/payment-query.js'
import { capturedSums, metadataOf, paymentStatusOf } from '@cofre/gateway/room'
import { properName } from '@cofre/pages'
import {
  type Separator,
  csvAmount,
  csvTime,
  type AccountNames,
  type View,
  shownDocument,
  shownEmail,
  shownName,
  shownText,
} from '@cofre/panel/page'
import { PAYMENT_LIST_TEXTS } from './texts.js'

interface Reader {
  readonly view: View
  readonly separator: Separator
  readonly accounts: AccountNames
}

/** The list of payments as a table. */
export function paymentsTable(payments: AsyncIterable<ListedPayment>, reader: Reader) {
  const { transactions } = PAYMENT_LIST_TEXTS[reader.view.language]
  const heads = [
    transactions.code,
    transactions.reference,
    transactions.status,
    transactions.method,
    transactions.brand,
    transactions.lastFour,
    transactions.installments,
    transactions.payer,
    transactions.document,
    transactions.email,
    transactions.created,
    transactions.paid,
    transactions.amount,
    transactions.charged,
    transactions.refunded,
    transactions.account,
    transactions.refundNature,
    transactions.accountName,
    transactions.metadata,
    transactions.captured,
  ]
  return { heads, rows: rowsOf(payments, reader) }
}

async function* rowsOf(payments: AsyncIterable<ListedPayment>, reader: Reader) {
  for await (const payment of payments) yield csvRow(payment, reader)
}

function csvRow(
  { transaction, payerName, refunds, refundedMinor, account }: ListedPayment,
  { view, separator, accounts }: Reader,
): readonly string[] {
  const captured = transaction.capture?.amountMinor
  const isCard = transaction.paymentType === 'credit-card'
  return [
    String(transaction.code),
    transaction.reference,
    paymentStatusOf(transaction),
    view.texts.methods[transaction.paymentType],
    isCard ? properName(transaction.subType ?? '') : '',
    transaction.cardLastFour ?? '',
    isCard ? String(transaction.installments) : '',
    shownName(payerName, view),
    // With punctuation, because a spreadsheet removes leading zeros from a bare number.
    shownDocument(transaction.payerDocument, view),
    shownEmail(transaction.payerEmail, view),
    csvTime(transaction.createdAtMs),
    csvTime(transaction.paidAtMs),
    csvAmount(transaction.amountMinor, separator),
    csvAmount(capturedSums(transaction).chargedMinor, separator),
    csvAmount(refundedMinor, separator),
    account ?? '',
    [...new Set(refunds.flatMap(({ nature }) => nature ?? []))].join(' '),
    account === undefined ? '' : accounts.of(account),
    shownText(
      Object.entries(metadataOf(transaction))
        .map(([key, value]) => `${key}=${value}`)
        .join('; '),
      view,
    ),
    captured === undefined ? '' : csvAmount(captured, separator),
  ]
}

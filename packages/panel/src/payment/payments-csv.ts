import type { ListedPayment } from '@cofre/gateway'
import { type Separator, csvAmount, csvTime } from '../export/csv-format.js'
import type { Texts } from '../text/texts.js'

interface Reader {
  readonly texts: Texts
  readonly separator: Separator
}

/** The list of payments as a table. */
export function paymentsTable(payments: AsyncIterable<ListedPayment>, reader: Reader) {
  const { transactions, transaction } = reader.texts
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
  ]
  return { heads, rows: rowsOf(payments, reader) }
}

async function* rowsOf(payments: AsyncIterable<ListedPayment>, reader: Reader) {
  for await (const payment of payments) yield rowOf(payment, reader)
}

function rowOf(
  { transaction, payerName, refundedMinor, account }: ListedPayment,
  { texts, separator }: Reader,
): readonly string[] {
  const isCard = transaction.paymentType === 'credit-card'
  return [
    String(transaction.code),
    transaction.reference,
    transaction.status,
    texts.methods[transaction.paymentType],
    isCard ? (transaction.subType ?? '') : '',
    transaction.cardLastFour ?? '',
    isCard ? String(transaction.installments) : '',
    payerName,
    documentText(transaction.payerDocument),
    transaction.payerEmail,
    csvTime(transaction.createdAtMs),
    csvTime(transaction.paidAtMs),
    csvAmount(transaction.amountMinor, separator),
    csvAmount(transaction.chargedMinor, separator),
    csvAmount(refundedMinor, separator),
    account ?? '',
  ]
}

/** With its punctuation: a spreadsheet takes the zeros before a bare number away. */
function documentText(document: string): string {
  return document.length === 11
    ? document.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
}

import type { NotificationFile, Refund, Transaction, TransactionFile } from '@cofre/gateway'
import type {
  NotificationReport,
  Page,
  RefundReport,
  TransactionReport,
  TransactionSummary,
} from './test-desk.js'
import type { RecordedRequest } from '../request-log/recorded-request.js'

// What the gateway keeps, as a store's developers see it.

export const PAGE_SIZE = 20

export function pageOf<Item>(items: readonly Item[], found: number, page: number): Page<Item> {
  return { items, found, page, pages: Math.max(1, Math.ceil(found / PAGE_SIZE)) }
}

export function transactionSummary(transaction: Transaction): TransactionSummary {
  return {
    code: String(transaction.code),
    reference: transaction.reference,
    status: transaction.status,
    method: transaction.paymentType,
    subType: transaction.subType,
    amountMinor: transaction.amountMinor,
    payerEmail: transaction.payerEmail,
    createdAtMs: transaction.createdAtMs,
    statusChangedAtMs: transaction.statusChangedAtMs,
  }
}

export function transactionReport(
  { transaction, history, refunds, notifications }: TransactionFile,
  requests: readonly RecordedRequest[],
): TransactionReport {
  return {
    ...transactionSummary(transaction),
    description: transaction.description,
    chargedMinor: transaction.chargedMinor,
    installments: transaction.installments,
    cardLastFour: transaction.cardLastFour,
    payerDocument: transaction.payerDocument,
    notificationUrl: transaction.notificationUrl,
    paymentDetails: transaction.paymentDetails,
    publicId: transaction.publicId,
    paidAtMs: transaction.paidAtMs,
    expiresAtMs: transaction.expiresAtMs,
    history,
    refunds: refunds.map(refundReport),
    notifications: notifications.map(notificationReport),
    requests,
  }
}

function refundReport(refund: Refund): RefundReport {
  const { id, status, amountMinor, reference, requestedAtMs, processedAtMs } = refund
  return { id: String(id), status, amountMinor, reference, requestedAtMs, processedAtMs }
}

export function notificationReport(file: NotificationFile): NotificationReport {
  const { notification, message, state, nextAttemptAtMs, attempts } = file
  const { transactionCode, position, refundId, status, url, createdAtMs } = notification
  return {
    transactionCode: String(transactionCode),
    position,
    kind: refundId === undefined ? 'transaction' : 'refund',
    status,
    url,
    createdAtMs,
    state,
    nextAttemptAtMs,
    request: message,
    attempts,
  }
}

// Payments and refunds in lists of the API.
import { type PaymentSummary, type RefundSummary, methodOfType } from '@cofre/contracts'
import { formatTimestamp, timestampOrNull } from '../../model/calendar/brazilian-calendar.js'
import { type Refund, returnedMinor } from '../../model/refund/refund.js'
import {
  captureBeforeMsOf,
  capturedSums,
  paymentStatusOf,
} from '../../model/transaction/capture.js'
import { metadataOf } from '../../model/transaction/stored-request.js'
import { type Transaction, isPayerErased } from '../../model/transaction/transaction.js'
import { jsonAmount } from '../request/json-response.js'

export function paymentSummary(
  transaction: Transaction,
  refunds: readonly Refund[],
): PaymentSummary {
  const { capture, paymentType, subType } = transaction
  return {
    code: String(transaction.code),
    reference: transaction.reference,
    status: paymentStatusOf(transaction),
    method: methodOfType(paymentType),
    'method-name': subType ?? null,
    currency: 'BRL',
    amount: jsonAmount(transaction.amountMinor),
    'charged-amount': jsonAmount(capturedSums(transaction).chargedMinor),
    'captured-amount': capture?.amountMinor === undefined ? null : jsonAmount(capture.amountMinor),
    'refunded-amount': jsonAmount(returnedMinor(refunds)),
    installments: transaction.installments,
    description: transaction.description,
    'payer-email': isPayerErased(transaction) ? null : transaction.payerEmail,
    'date-created': formatTimestamp(transaction.createdAtMs),
    'date-paid': timestampOrNull(transaction.paidAtMs),
    'date-changed': formatTimestamp(transaction.statusChangedAtMs),
    'expires-at': timestampOrNull(transaction.expiresAtMs),
    'capture-before': timestampOrNull(captureBeforeMsOf(transaction)),
    metadata: { ...metadataOf(transaction) },
  }
}

export function refundSummary(refund: Refund): RefundSummary {
  return {
    'refund-id': String(refund.id),
    'transaction-code': String(refund.transactionCode),
    status: refund.status,
    amount: jsonAmount(refund.amountMinor),
    'charged-amount': jsonAmount(refund.chargedMinor ?? refund.amountMinor),
    reference: refund.reference ?? null,
    origin: refund.providerRefundId === undefined ? 'store' : 'provider',
    nature: refund.nature ?? null,
    'date-created': formatTimestamp(refund.requestedAtMs),
    'date-ended': timestampOrNull(refund.processedAtMs),
    metadata: { ...refund.metadata },
  }
}

import {
  type RefundElement,
  type SearchBody,
  type SearchElement,
  formatAmount,
} from '@cofre/contracts'
import type { Refund } from '../refund/refund.js'
import { formatTimestamp } from '../transaction/brasilia-time.js'
import { type Transaction, isRefundable } from '../transaction/transaction.js'
import { paymentMethodBody } from '../transaction/transaction-body.js'
import type { TransactionCode } from '../transaction/transaction-code.js'

/** A page of search results. */
export interface SearchPage {
  readonly merchantId: string
  readonly transactions: readonly Transaction[]
  readonly refunds: ReadonlyMap<TransactionCode, readonly Refund[]>
  /** Transactions on all pages. */
  readonly found: number
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** Body of `200 OK` of a search (spec 2.6). */
export function searchBody(results: SearchPage): SearchBody {
  const { merchantId, transactions, refunds, found, page, pageSize } = results
  return {
    'transaction-result': {
      'store-id': merchantId,
      transactions: transactions.map((transaction) =>
        searchElement(transaction, refunds.get(transaction.code) ?? []),
      ),
    },
    metadata: {
      found: String(found),
      'page-results': transactions.length,
      'current-page': page,
      'total-pages': Math.ceil(found / pageSize),
    },
  }
}

function searchElement(transaction: Transaction, refunds: readonly Refund[]): SearchElement {
  const { savedCard, paidAtMs, subType = transaction.paymentType } = transaction
  return {
    'transaction-code': String(transaction.code),
    'order-id': transaction.reference,
    'order-description': transaction.description,
    status: transaction.status,
    currency: 'BRL',
    amount: formatAmount(transaction.amountMinor),
    'customer-email': transaction.payerEmail,
    'customer-country': 'BR',
    'notify-url': transaction.notificationUrl,
    'payment-country': 'BR',
    'payment-id': subType,
    'payment-name': PAYMENT_NAMES[subType] ?? subType,
    'order-date': formatTimestamp(transaction.createdAtMs),
    'payment-date': paidAtMs === undefined ? null : formatTimestamp(paidAtMs),
    'last-status-change-date': formatTimestamp(transaction.statusChangedAtMs),
    'chargeback-date': null,
    refundable: isRefundable(transaction) && leavesSomething(transaction, refunds),
    refunds: refunds.map(refundElement),
    'payment-methods': savedCard === undefined ? [] : [paymentMethodBody(savedCard)],
  }
}

/** Nothing is in process, and not all of it was refunded. */
function leavesSomething({ amountMinor }: Transaction, refunds: readonly Refund[]): boolean {
  const refunded = refunds
    .filter(({ status }) => status !== 'REJECTED')
    .reduce((sum, refund) => sum + refund.amountMinor, 0)
  return refunded < amountMinor && refunds.every(({ status }) => status !== 'PROCESSING')
}

function refundElement(refund: Refund): RefundElement {
  const { processedAtMs } = refund
  return {
    'refund-id': String(refund.id),
    'refund-status': refund.status,
    'refund-amount': formatAmount(refund.amountMinor),
    'refund-date': formatTimestamp(refund.requestedAtMs),
    'refund-processing-date': processedAtMs === undefined ? null : formatTimestamp(processedAtMs),
    'refund-reference': refund.reference ?? null,
  }
}

/** How a payment method is called on a bill, by its sub-type. */
const PAYMENT_NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  elo: 'Elo',
  hipercard: 'Hipercard',
  diners: 'Diners Club',
  boleto: 'Boleto',
  pix: 'PIX',
  pagseguro: 'PagSeguro',
  paypal: 'PayPal',
}

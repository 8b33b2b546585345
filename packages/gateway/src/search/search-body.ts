import { type SearchBody, type SearchElement, formatAmount } from '@cofre/contracts'
import { formatTimestamp } from '../transaction/timestamp.js'
import { type Transaction, isRefundable } from '../transaction/transaction.js'
import { paymentMethodBody } from '../transaction/transaction-body.js'

/** A page of search results. */
export interface SearchPage {
  readonly merchantId: string
  readonly transactions: readonly Transaction[]
  /** Transactions on all pages. */
  readonly found: number
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** The page of a search by code. */
export function pageOfOne(merchantId: string, transaction: Transaction): SearchPage {
  return { merchantId, transactions: [transaction], found: 1, page: 1, pageSize: 1 }
}

/** Body of `200 OK` of a search (spec 2.6). */
export function searchBody({
  merchantId,
  transactions,
  found,
  page,
  pageSize,
}: SearchPage): SearchBody {
  return {
    'transaction-result': { 'store-id': merchantId, transactions: transactions.map(searchElement) },
    metadata: {
      found: String(found),
      'page-results': transactions.length,
      'current-page': page,
      'total-pages': Math.ceil(found / pageSize),
    },
  }
}

function searchElement(transaction: Transaction): SearchElement {
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
    refundable: isRefundable(transaction),
    refunds: [],
    'payment-methods': savedCard === undefined ? [] : [paymentMethodBody(savedCard)],
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

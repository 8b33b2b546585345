import {
  type RefundElement,
  type SearchBody,
  type SearchElement,
  formatAmount,
} from '@cofre/contracts'
import type { Refund } from '../../model/refund/refund.js'
import { formatTimestamp } from '../../model/transaction/brasilia-time.js'
import { paymentMethodBody } from './transaction-body.js'
import type { SearchPage, SearchResult } from '../../payment/search-service.js'

/** Body of `200 OK` of a search (specification, section 2.6). */
export function searchBody(searchPage: SearchPage): SearchBody {
  const { merchantId, results, found, page, pageSize } = searchPage
  return {
    'transaction-result': {
      'store-id': merchantId,
      transactions: results.map(searchElement),
    },
    metadata: {
      found: String(found),
      'page-results': results.length,
      'current-page': page,
      'total-pages': Math.ceil(found / pageSize),
    },
  }
}

function searchElement({ transaction, refunds, refundable }: SearchResult): SearchElement {
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
    refundable,
    refunds: refunds.map(refundElement),
    'payment-methods': savedCard === undefined ? [] : [paymentMethodBody(savedCard)],
  }
}

function refundElement(refund: Refund): RefundElement {
  const { processedAtMs } = refund
  const isPaid = refund.status === 'PROCESSED' && processedAtMs !== undefined
  return {
    'refund-id': String(refund.id),
    'refund-status': refund.status,
    'refund-amount': formatAmount(refund.amountMinor),
    'refund-date': formatTimestamp(refund.requestedAtMs),
    'refund-processing-date': isPaid ? formatTimestamp(processedAtMs) : null,
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

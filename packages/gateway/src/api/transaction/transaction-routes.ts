import {
  CREATION_STATUS,
  type PaymentMethodBody,
  type RefundElement,
  type SavedCardSummary,
  type SearchBody,
  type SearchElement,
  type TransactionBody,
  formatAmount,
  transactionRequestTable,
} from '@cofre/contracts'
import type { Hono } from 'hono'
import type { PayerFields } from '../../method/payment-method.js'
import { type Refund, returnedMinor } from '../../model/refund/refund.js'
import { formatTimestamp, timestampOrNull } from '../../model/calendar/brazilian-calendar.js'
import { isAuthorizationExpired } from '../../model/transaction/capture.js'
import { SEARCH_PARAMETERS } from '../../model/transaction/search-query.js'
import { type Transaction, isCaptureFailed } from '../../model/transaction/transaction.js'
import type { SearchPage, SearchResult } from '../../payment/search-service.js'
import type { RouteDeps } from '../gateway-api.js'
import { declineBody } from './decline-body.js'
import { type GatewayEnv, readJson, signedInterface } from '../request/signed-request.js'
import { jsonAmount, jsonResponse } from '../request/json-response.js'

export function addTransactionRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const { api, publicUrl } = deps
  const shown: ShownInSearch = (transaction) => api.shownInSearch(transaction, publicUrl)
  const creation = signedInterface(deps, {
    scope: 'pay',
    version: 'v2',
    checks: ['content-type'],
    body: transactionRequestTable,
  })
  const lookUp = {
    scope: 'read',
    version: 'v1',
    checks: ['content-type', 'accept-language'],
  } as const

  app.post('/transactions', creation, async (context) => {
    const merchant = context.get('merchant')
    const received = await readJson(context, 'body_invalid')
    const isRetry = context.get('isRetry')
    const nonce = context.get('nonce')
    const deadline = context.get('deadline')
    const order = { received, isRetry, nonce, deadline }
    const transaction = await api.createTransaction(merchant, order)
    return jsonResponse(context, transactionBody(transaction, api.shown(transaction, publicUrl)), {
      status: 201,
    })
  })

  const search = signedInterface(deps, { ...lookUp, query: SEARCH_PARAMETERS })
  app.get('/transactions', search, async (context) => {
    const page = await api.searchTransactions(context.get('merchant'), context.req.query())
    return jsonResponse(context, searchBody(page, shown))
  })

  app.get('/transactions/:code', signedInterface(deps, lookUp), async (context) => {
    const page = await api.searchOne(context.get('merchant'), context.req.param('code'))
    return jsonResponse(context, searchBody(page, shown))
  })
}

/** Body of `201 Created` of `POST /transactions` (specification, section 2.3). */
function transactionBody(transaction: Transaction, shown: PayerFields): TransactionBody {
  const decline = declineBody(transaction)
  const { capture } = transaction
  return {
    transaction: {
      code: String(transaction.code),
      reference: transaction.reference,
      amount: jsonAmount(transaction.amountMinor),
      status: CREATION_STATUS[transaction.status],
      currency: 'BRL',
      country: 'BR',
      'payer-email': transaction.payerEmail,
      'date-created': formatTimestamp(transaction.createdAtMs),
      ...shown,
      ...(capture !== undefined && { 'capture-before': formatTimestamp(capture.beforeMs) }),
      ...(decline !== undefined && { decline }),
    },
    ...(transaction.savedCard !== undefined && {
      'payment-methods': [paymentMethodBody(transaction.savedCard)],
    }),
  }
}

const MASK = '*'.repeat(12)

/** A saved card, masked (PCI DSS 3.4.1). */
function paymentMethodBody(card: SavedCardSummary): PaymentMethodBody {
  return {
    code: card.code,
    'credit-card': {
      brand: card.brand,
      'masked-number': MASK + card.lastFour,
      'expiration-date': card.expirationDate,
    },
    'date-created': formatTimestamp(card.createdAtMs),
  }
}

type ShownInSearch = (transaction: Transaction) => PayerFields

/** Body of `200 OK` of a search (specification, section 2.6). */
function searchBody(searchPage: SearchPage, shown: ShownInSearch): SearchBody {
  const { merchantId, results, found, page, pageSize } = searchPage
  return {
    'transaction-result': {
      'store-id': merchantId,
      transactions: results.map((result) => searchElement(result, shown)),
    },
    metadata: {
      found: String(found),
      'page-results': results.length,
      'current-page': page,
      'total-pages': Math.ceil(found / pageSize),
    },
  }
}

function searchElement(
  { transaction, refunds, refundable, customerCountry }: SearchResult,
  shown: ShownInSearch,
): SearchElement {
  const { savedCard, paidAtMs } = transaction
  const { subType = transaction.paymentType } = transaction
  const decline = declineBody(transaction)
  return {
    'transaction-code': String(transaction.code),
    'order-id': transaction.reference,
    'order-description': transaction.description,
    status: transaction.status,
    currency: 'BRL',
    amount: formatAmount(transaction.amountMinor),
    'customer-email': transaction.payerEmail,
    'customer-country': customerCountry,
    'notify-url': transaction.notificationUrl,
    'payment-country': 'BR',
    'payment-id': subType,
    'payment-name': PAYMENT_NAMES[subType] ?? subType,
    'order-date': formatTimestamp(transaction.createdAtMs),
    'payment-date': timestampOrNull(paidAtMs),
    'last-status-change-date': formatTimestamp(transaction.statusChangedAtMs),
    'chargeback-date': null,
    refundable,
    refunds: refunds.map(refundElement),
    'refunded-amount': formatAmount(returnedMinor(refunds)),
    'payment-methods': savedCard === undefined ? [] : [paymentMethodBody(savedCard)],
    ...shown(transaction),
    ...(decline !== undefined && { decline }),
    ...(isCaptureFailed(transaction) && { 'cancellation-reason': 'capture_failed' }),
    ...(isAuthorizationExpired(transaction) && { 'cancellation-reason': 'authorization_expired' }),
  }
}

function refundElement(refund: Refund): RefundElement {
  const { processedAtMs, notBeforeMs, nature } = refund
  const isPaid = refund.status === 'PROCESSED' && processedAtMs !== undefined
  const isLater = refund.status === 'PROCESSING' && notBeforeMs !== undefined
  return {
    'refund-id': String(refund.id),
    'refund-status': refund.status,
    'refund-amount': formatAmount(refund.amountMinor),
    'refund-date': formatTimestamp(refund.requestedAtMs),
    'refund-processing-date': isPaid ? formatTimestamp(processedAtMs) : null,
    'refund-reference': refund.reference ?? null,
    'refund-origin': refund.providerRefundId === undefined ? 'store' : 'provider',
    ...(nature !== undefined && { 'refund-nature': nature }),
    ...(isLater && { 'refund-earliest-date': formatTimestamp(notBeforeMs) }),
  }
}

/** Names of payment methods on a bill, by sub-type. */
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

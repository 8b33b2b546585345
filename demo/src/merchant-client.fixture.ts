import {
  type CreateTransactionRequest,
  type DeclineBody,
  MerchantApiError,
  type MerchantClient,
  type SearchElement,
  type TransactionBody,
  type CreateOptions,
} from '@cofre/merchant'

export const SAVED_CODE = 'A1'.repeat(16)

/** A requested transaction. */
interface AskedTransaction {
  readonly body: CreateTransactionRequest
  readonly options: CreateOptions | undefined
}

/** A merchant client that records its requests and returns the test's responses. */
export interface FakeMerchant extends MerchantClient {
  readonly asked: AskedTransaction[]
  /** Responses of `findTransaction`, by code; searches use them too. */
  readonly known: Map<string, SearchElement>
  /** Status in the response to the creation, or the failure in its place. */
  outcome: 'PAID' | 'PENDING' | 'REJECTED' | Error
  /** The reason of a declined card. */
  decline: DeclineBody | undefined
}

const notAsked = (): never => {
  throw new Error('the demo does not use this call')
}

export function fakeMerchant(): FakeMerchant {
  const merchant: FakeMerchant = {
    createPaymentLink: notAsked,
    findPaymentLink: notAsked,
    listPaymentLinks: notAsked,
    allPaymentLinks: notAsked,
    revokePaymentLink: notAsked,
    findPayment: notAsked,
    listPayments: notAsked,
    allPayments: notAsked,
    searchPayments: notAsked,
    allPaymentsOfPayer: notAsked,
    capturePayment: notAsked,
    cancelPayment: notAsked,
    listRefunds: notAsked,
    allRefunds: notAsked,
    listEvents: notAsked,
    allEvents: notAsked,
    findEvent: notAsked,
    sendEvent: notAsked,
    createEventEndpoint: notAsked,
    listEventEndpoints: notAsked,
    findEventEndpoint: notAsked,
    changeEventEndpoint: notAsked,
    rotateEventEndpointSecret: notAsked,
    deleteEventEndpoint: notAsked,
    saveCard: notAsked,
    searchSavedCards: notAsked,
    allSavedCardsOfPayer: notAsked,
    findSavedCard: notAsked,
    deleteSavedCard: notAsked,
    findInterest: notAsked,
    changeInterest: notAsked,
    asked: [],
    known: new Map(),
    outcome: 'PAID',
    decline: undefined,
    createTransaction(body, options) {
      merchant.asked.push({ body, options })
      const { outcome, decline } = merchant
      if (outcome instanceof Error) return Promise.reject(outcome)
      const created = createdTransaction(body, outcome, merchant.asked.length)
      return Promise.resolve({ ...created, transaction: { ...created.transaction, decline } })
    },
    findTransaction(code) {
      const found = merchant.known.get(code)
      return found === undefined
        ? Promise.reject(new MerchantApiError(404, []))
        : Promise.resolve(found)
    },
    searchTransactions: () => Promise.reject(new Error('not used by the shop')),
    installments: ({ amount }) =>
      Promise.resolve([
        { quantity: 1, totalAmount: amount, installmentAmount: amount, interestFree: true },
        { quantity: 2, totalAmount: 104.5, installmentAmount: 52.25, interestFree: false },
      ]),
    findByReference: (reference) =>
      Promise.resolve(
        [...merchant.known.values()].find((found) => found['order-id'] === reference),
      ),
    allTransactions() {
      throw new Error('not used by the shop')
    },
    cardLookup: () => Promise.reject(new Error('not used by the shop')),
    binLookup: () => Promise.reject(new Error('not used by the shop')),
    createRefund: () => Promise.reject(new Error('not used by the shop')),
  }
  return merchant
}

export const FIRST_CODE = '100000000000001'
/** Due on 2026-09-04. */
export const DIGITABLE_LINE = '03399000090000019010810000001015415590000010000'
export const PIX_CODE = '00020126pix.example/qr/1'
export const WALLET_URL = 'https://wallet.example/w/1'

/** The service's payment data for the payer, by type of payment. */
const PAYMENT_DATA: Readonly<
  Record<
    CreateTransactionRequest['charge'][0]['payment-method']['type'],
    Partial<TransactionBody['transaction']>
  >
> = {
  'credit-card': {},
  postpay: {
    'barcode-number': '0'.repeat(44),
    'digitable-line': DIGITABLE_LINE,
    'payment-url': 'https://pay.example/b/1',
  },
  eft: { 'payment-code': PIX_CODE, 'qrcode-image': 'https://pay.example/q/1.png' },
  'e-wallet': { 'payment-url': WALLET_URL },
}

function createdTransaction(
  { transaction, charge, payer }: CreateTransactionRequest,
  ...[status, count]: readonly [status: TransactionBody['transaction']['status'], count: number]
): TransactionBody {
  const [{ amount }] = charge
  const info = 'payment-info' in charge[0] ? charge[0]['payment-info'] : undefined
  const isSaved = info !== undefined && 'save' in info && info.save
  return {
    transaction: {
      code: String(100000000000000 + count),
      reference: transaction.reference ?? '',
      amount,
      status,
      currency: 'BRL',
      country: 'BR',
      'payer-email': payer.email,
      'date-created': '2026-09-01T12:00:00.000-03:00',
      ...PAYMENT_DATA[charge[0]['payment-method'].type],
    },
    ...(isSaved && {
      'payment-methods': [
        {
          code: SAVED_CODE,
          'credit-card': {
            brand: 'visa',
            'masked-number': '************1111',
            'expiration-date': '2030-12',
          },
          'date-created': '2026-09-01T12:00:00.000-03:00',
        },
      ],
    }),
  }
}

/** The service's search result of an order with a status. */
export function searchElement(
  reference: string,
  status: SearchElement['status'],
  changedAt = '2026-09-01T12:05:00.000-03:00',
): SearchElement {
  return {
    'transaction-code': FIRST_CODE,
    'order-id': reference,
    'order-description': '',
    status,
    currency: 'BRL',
    amount: '100.00',
    'customer-email': 'maria@example.com',
    'customer-country': 'BR',
    'notify-url': 'https://serra.example/notifications',
    'payment-country': 'BR',
    'payment-id': '1',
    'payment-name': 'visa',
    'order-date': '2026-09-01T12:00:00.000-03:00',
    'payment-date': null,
    'last-status-change-date': changedAt,
    'chargeback-date': null,
    refundable: false,
    refunds: [],
    'refunded-amount': '0.00',
    'payment-methods': [],
  }
}

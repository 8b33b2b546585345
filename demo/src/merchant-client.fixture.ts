import {
  type CreateTransactionRequest,
  type DeclineBody,
  MerchantApiError,
  type PaymentElement,
  type SearchElement,
  type TransactionBody,
  type CreateOptions,
} from '@cofre/merchant'
import type { ShopMerchant } from './payment/shop.js'

export const SAVED_CODE = 'A1'.repeat(16)

/** A requested transaction. */
interface AskedTransaction {
  readonly body: CreateTransactionRequest
  readonly options: CreateOptions | undefined
}

/** A merchant client that records its requests and returns the test's responses. */
export interface FakeMerchant extends ShopMerchant {
  readonly asked: AskedTransaction[]
  /** Responses of `findTransaction`, by code; searches use them too. */
  readonly known: Map<string, SearchElement>
  /** Status in the response to the creation, or the failure in its place. */
  outcome: 'PAID' | 'PENDING' | 'REJECTED' | Error
  /** The reason of a declined card. */
  decline: DeclineBody | undefined
  /** The payment of an order that is charged later. */
  payment: PaymentElement
  /** The captured amounts; `null` for a cancellation. */
  readonly ends: (number | null)[]
  /** The charge of a captured real, with interest. */
  chargedRate: number
  /** The failure of each capture and cancellation. */
  endFailure: Error | undefined
}

export function fakeMerchant(): FakeMerchant {
  const merchant: FakeMerchant = {
    asked: [],
    known: new Map(),
    outcome: 'PAID',
    decline: undefined,
    payment: AUTHORIZED,
    ends: [],
    chargedRate: 1,
    endFailure: undefined,
    findPayment: () => Promise.resolve(merchant.payment),
    async capturePayment(_, { amount = 0 } = {}) {
      await endPayment(merchant, amount)
      return { capture: 'captured', payment: merchant.payment }
    },
    async cancelPayment() {
      await endPayment(merchant, null)
      return { cancellation: 'cancelled', payment: merchant.payment }
    },
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
    installments: ({ amount }) =>
      Promise.resolve([
        { quantity: 1, totalAmount: amount, installmentAmount: amount, interestFree: true },
        {
          quantity: 2,
          totalAmount: Number((amount * 1.045).toFixed(2)),
          installmentAmount: Number((amount * 0.5225).toFixed(2)),
          interestFree: false,
        },
      ]),
    findByReference: (reference) =>
      Promise.resolve(
        [...merchant.known.values()].find((found) => found['order-id'] === reference),
      ),
  }
  return merchant
}

export const FIRST_CODE = '100000000000001'

const CAPTURE_BEFORE = '2026-09-07T12:00:00.000-03:00'

const AUTHORIZED: PaymentElement = {
  code: FIRST_CODE,
  reference: '',
  status: 'AUTHORIZED',
  method: 'credit-card',
  'method-name': 'visa',
  currency: 'BRL',
  amount: 100,
  'charged-amount': 100,
  'captured-amount': null,
  'refunded-amount': 0,
  installments: 1,
  description: '',
  'payer-email': null,
  'date-created': '2026-09-01T12:00:00.000-03:00',
  'date-paid': null,
  'date-changed': '2026-09-01T12:00:00.000-03:00',
  'expires-at': null,
  'capture-before': CAPTURE_BEFORE,
  metadata: {},
  payer: null,
  'notification-url': '',
  card: null,
  'bank-charge': null,
  refunds: [],
  notifications: [],
  disputes: [],
  settlements: [],
}

/** Ends the first order's payment, unless it fails. */
function endPayment(merchant: FakeMerchant, amount: number | null): Promise<void> {
  merchant.ends.push(amount)
  if (merchant.endFailure !== undefined) return Promise.reject(merchant.endFailure)
  const status = amount === null ? 'CANCELLED' : 'COMPLETE'
  const reference = merchant.asked[0]?.body.transaction.reference ?? ''
  const charged = Number(((amount ?? 100) * merchant.chargedRate).toFixed(2))
  const amounts = { 'captured-amount': amount, 'charged-amount': charged }
  merchant.payment = { ...AUTHORIZED, status, ...amounts }
  merchant.known.set(FIRST_CODE, searchElement(reference, status))
  return Promise.resolve()
}

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
  const isReserved = status === 'PAID' && info?.capture === false
  return {
    transaction: {
      code: String(100000000000000 + count),
      reference: transaction.reference ?? '',
      amount,
      status: isReserved ? 'PENDING' : status,
      ...(isReserved && { 'capture-before': CAPTURE_BEFORE }),
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
export function searchElement(reference: string, status: SearchElement['status']): SearchElement {
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
    'last-status-change-date': '2026-09-01T12:05:00.000-03:00',
    'chargeback-date': null,
    refundable: false,
    refunds: [],
    'refunded-amount': '0.00',
    'payment-methods': [],
  }
}

// Shapes of answers (spec 2.3, 2.6). Money is decimal text here and becomes a JSON number or string when rendered.

/** A saved card in answers. */
export interface PaymentMethodBody {
  readonly code: string
  readonly 'credit-card': {
    readonly brand: string
    /** Asterisks followed by the last four digits. */
    readonly 'masked-number': string
    /** `YYYY-MM`. */
    readonly 'expiration-date': string
  }
  readonly 'date-created': string
}

/** Body of `201 Created` of `POST /transactions`. */
export interface TransactionBody {
  readonly transaction: {
    readonly code: string
    readonly reference: string
    readonly amount: number
    readonly status: string
    readonly currency: string
    readonly country: string
    readonly 'payer-email': string
    readonly 'date-created': string
    readonly 'barcode-number'?: string
    readonly 'digitable-line'?: string
    readonly 'payment-url'?: string
    readonly 'payment-code'?: string
    readonly 'qrcode-image'?: string
  }
  readonly 'payment-methods'?: readonly PaymentMethodBody[]
}

/** A refund inside a search result. */
export interface RefundElement {
  readonly 'refund-id': string
  readonly 'refund-status': string
  readonly 'refund-amount': string
  readonly 'refund-date': string
  readonly 'refund-processing-date': string | null
  readonly 'refund-reference': string | null
}

/** One transaction of a search result. */
export interface SearchElement {
  readonly 'transaction-code': string
  readonly 'order-id': string
  readonly 'order-description': string
  readonly status: string
  readonly currency: string
  readonly amount: string
  readonly 'customer-email': string
  readonly 'customer-country': string
  readonly 'notify-url': string
  readonly 'payment-country': string
  readonly 'payment-id': string
  readonly 'payment-name': string
  readonly 'order-date': string
  readonly 'payment-date': string | null
  readonly 'last-status-change-date': string
  readonly 'chargeback-date': null
  readonly refundable: boolean
  readonly refunds: readonly RefundElement[]
  readonly 'payment-methods': readonly PaymentMethodBody[]
}

/** Body of `200 OK` of `GET /transactions` and `GET /transactions/{code}`. */
export interface SearchBody {
  readonly 'transaction-result': {
    readonly 'store-id': string
    readonly transactions: readonly SearchElement[]
  }
  readonly metadata: {
    readonly found: string
    readonly 'page-results': number
    readonly 'current-page': number
    readonly 'total-pages': number
  }
}

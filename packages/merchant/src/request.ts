// A shop's requests. Amounts are numbers in reais with at most two decimals.
import type {
  EventType,
  LinkStatus,
  LinkUsage,
  PaymentMethodName,
  PaymentStatus,
  RefundStatus,
  TransactionStatus,
} from '@cofre/contracts'

/** A postal address. */
export interface AddressRequest {
  readonly street: string
  readonly number: string
  readonly complement?: string
  readonly district: string
  /** Two letters: `SP`. */
  readonly state: string
  readonly city: string
  /** ISO 3166-1 alpha-2: `BR`. */
  readonly country: string
  /** Eight digits, without the dash. */
  readonly 'zip-code': string
}

/**
 * Your own names and texts: at most 20 keys of up to 40 of `A-Z a-z 0-9 . _ -`, each with a text of
 * up to 500 characters. No payer sees them.
 */
export type Metadata = Readonly<Record<string, string>>

/** The payer. Cards need birth date (for a CPF) and phone, all but a direct token the IP. */
export interface PayerRequest {
  /** At least two words, each separated by one space. */
  readonly name: string
  readonly email: string
  /** `YYYY-MM-DD`. */
  readonly 'birth-date'?: string
  /** International, with the plus: `+5511987654321`. */
  readonly 'phone-number'?: string
  readonly document: { readonly type: 'CPF' | 'CNPJ'; readonly number: string }
  readonly ip?: string
  /** Required when an item of the cart is physical. */
  readonly address?: AddressRequest
}

/** Required when an item of the cart is physical. */
export interface ShippingRequest {
  readonly cost: number
  readonly address: AddressRequest
}

/** One line of the cart. */
export interface CartItemRequest {
  readonly quantity: number
  readonly description: string
  /** May have more than two decimals. */
  readonly 'unit-price': number
  readonly type: 'digital' | 'physical' | 'service' | 'subscription'
  readonly category?: string
}

/** The source of a card; exactly one of the three. */
export type CardSourceRequest =
  | {
      /** Direct token from the browser library. */
      readonly token: string
      /** Asks the service to save the card. */
      readonly save?: boolean
    }
  | {
      /** Code of a saved card; works for the payer e-mail that saved it. */
      readonly code: string
      /**
       * Token of the card's security code, from the card fields or the browser library. Never the
       * code itself.
       */
      readonly 'security-code-token'?: string
    }
  | {
      /** For stores that may send a card themselves. */
      readonly 'credit-card': {
        readonly number: string
        readonly cvv: string
        /** `YYYY-MM`. */
        readonly 'expiration-date': string
      }
      readonly save?: boolean
    }

/** The result of a 3-D Secure server for this payment, which can be used once. */
export interface ThreeDSecureRequest {
  /** `2.2.0` */
  readonly version: string
  /** `05` */
  readonly eci: string
  /** 20 bytes in Base64. */
  readonly cavv: string
  /** The UUID of the directory server's transaction. */
  readonly 'ds-transaction-id'?: string
}

/** The only charge of a transaction; `amount` is shipping plus cart, without interest. */
export type ChargeRequest =
  | {
      readonly amount: number
      readonly currency?: 'BRL'
      readonly 'payment-method': { readonly type: 'credit-card'; readonly 'sub-type'?: string }
      readonly 'payment-info': {
        readonly installments: number
        /** `false` only authorizes the card: capture the payment later, or cancel it. */
        readonly capture?: boolean
        readonly 'three-d-secure'?: ThreeDSecureRequest
      } & CardSourceRequest
    }
  | {
      readonly amount: number
      readonly currency?: 'BRL'
      readonly 'payment-method':
        | { readonly type: 'postpay'; readonly 'sub-type': 'boleto' }
        | { readonly type: 'eft'; readonly 'sub-type': 'pix' }
        | { readonly type: 'e-wallet'; readonly 'sub-type': string }
    }

/** Body of `POST /transactions` (specification, section 2.1). */
export interface CreateTransactionRequest {
  readonly transaction: {
    /**
     * The shop's own identifier, never used before: up to 64 of `A-Z a-z 0-9 . _ -`. Derived from
     * the idempotency key when absent.
     */
    readonly reference?: string
    readonly 'project-number'?: number
    readonly country: 'BR'
    readonly currency: 'BRL'
    readonly 'checkout-type': 'direct'
    readonly 'notification-url': string
    readonly language: 'pt-BR' | 'en-US' | 'es-ES' | 'pt-PT' | 'tr-TR'
    readonly gifting?: true
    readonly metadata?: Metadata
    /** Required for wallets. */
    readonly 'redirect-urls'?: { readonly success: string; readonly fail: string }
  }
  readonly charge: readonly [ChargeRequest]
  readonly payer: PayerRequest
  readonly shipping?: ShippingRequest
  readonly cart: readonly [CartItemRequest, ...CartItemRequest[]]
}

/** Body of `POST /refunds` (specification, section 2.7). */
export interface CreateRefundRequest {
  /** The service's transaction code. */
  readonly 'transaction-id': number | string
  /** Receives the refund notification; optional if the store has an address for it. */
  readonly 'notify-url'?: string
  /** The whole transaction when absent. */
  readonly amount?: number
  /** `1` refunds a sandbox transaction through the production address. */
  readonly 'test-mode'?: 0 | 1
  /**
   * The shop's own identifier, up to 64 characters; several refunds may have the same one. Derived
   * from the idempotency key when absent.
   */
  readonly reference?: string
  readonly metadata?: Metadata
}

/** Body of `POST /payments/{code}/capture`. */
export interface CapturePaymentRequest {
  /** The part to capture, without interest; the rest is released. All of it when absent. */
  readonly amount?: number
}

/**
 * Filters of `GET /transactions` (specification, section 4.4). A reference or at least one
 * initial date; a final date needs its initial one.
 */
export interface SearchQuery {
  /** Your own complete reference of one order; without it at least one initial date. */
  readonly reference?: string
  readonly 'initial-order-date'?: Date
  readonly 'final-order-date'?: Date
  readonly 'initial-payment-date'?: Date
  readonly 'final-payment-date'?: Date
  readonly 'initial-last-status-change-date'?: Date
  readonly 'final-last-status-change-date'?: Date
  readonly status?: TransactionStatus
  /** From 1. */
  readonly page?: number
  /** At most 10, which is also the default. */
  readonly 'max-page-results'?: number
}

/** Body of `POST /payment-links`. */
export interface CreatePaymentLinkRequest {
  /**
   * The shop's own identifier, never used before: up to 56 of `A-Z a-z 0-9 . _ -`. Derived from the
   * idempotency key when absent. Each try is a transaction with this reference, `-` and a number.
   */
  readonly reference?: string
  readonly amount: number
  /** The subject of the payment: 1 to 200 characters. */
  readonly description: string
  /** `credit-card`, `pix`, `boleto` and wallets. */
  readonly methods: readonly [string, ...string[]]
  /** `false`, with cards alone, only authorizes: capture each payment later, or cancel it. */
  readonly capture?: boolean
  /** Default `once`. */
  readonly usage?: LinkUsage
  /** The most installments for a card; default 12. */
  readonly installments?: number
  /** Never, when absent. */
  readonly 'expires-at'?: Date
  /** Default: the store's language. */
  readonly language?: CreateTransactionRequest['transaction']['language']
  /** The page's link after the payment. */
  readonly 'success-url'?: string
  /** Optional if the store has an address for it. */
  readonly 'notification-url'?: string
  /** Each payment of the link has it. */
  readonly metadata?: Metadata
}

/** Filters of `GET /payment-links`. */
export interface PaymentLinkQuery {
  readonly reference?: string
  readonly status?: LinkStatus
  /** From 1. */
  readonly page?: number
  /** At most 10, which is also the default. */
  readonly 'max-page-results'?: number
}

/** Filters of `GET /payments`; all must match. */
export interface PaymentQuery {
  readonly status?: PaymentStatus
  readonly method?: PaymentMethodName
  /** Your own complete reference. */
  readonly reference?: string
  /** Exactly this amount, without interest. */
  readonly amount?: number
  readonly 'created-from'?: Date
  /** Not included. */
  readonly 'created-until'?: Date
  /** Payments of a page: 1 to 100; default 25. */
  readonly limit?: number
  /** `next-cursor` of the page before; the first page when absent. */
  readonly cursor?: string
}

/** Body of `POST /saved-cards`: a card to save without a charge. */
export interface SaveCardRequest {
  /** A direct token of the browser's library. */
  readonly token: string
  readonly payer: CardOwnerRequest
}

/** The owner of a card that is saved without a charge. */
export interface CardOwnerRequest {
  readonly name: string
  readonly document: { readonly type: 'CPF' | 'CNPJ'; readonly number: string }
  readonly email: string
  /** The address of the payer's browser, by which checks of cards are limited. */
  readonly ip: string
}

/** Body of `POST /saved-cards/searches`. */
export interface SavedCardSearchRequest {
  readonly 'payer-email': string
  /** Cards of a page, 1 to 100; default: 25. */
  readonly limit?: number
  /** `next-cursor` of the page before; the first page when absent. */
  readonly cursor?: string
}

/** Body of `POST /payments/searches`: the payer's e-mail, document or both, and filters. */
export interface PaymentSearchRequest extends PaymentQuery {
  readonly 'payer-email'?: string
  /** CPF or CNPJ, without punctuation. */
  readonly 'payer-document'?: string
  /** At most five keys; a payment has them all. With it, no payer is needed. */
  readonly metadata?: Metadata
}

/** Filters of `GET /refunds`; all must match. */
export interface RefundQuery {
  readonly status?: RefundStatus
  /** The refunded transaction. */
  readonly 'transaction-code'?: string
  readonly 'created-from'?: Date
  /** Not included. */
  readonly 'created-until'?: Date
  /** Refunds of a page: 1 to 100; default 25. */
  readonly limit?: number
  /** `next-cursor` of the page before; the first page when absent. */
  readonly cursor?: string
}

/** Body of `POST /interest/changes`: the store's own terms, or their end. */
export type ChangeInterestRequest = {
  /** Lowercase brand identifier; when absent, all brands without their own terms. */
  readonly brand?: string
  /** When it begins; immediately when absent. */
  readonly from?: Date
} & (
  | {
      /** Monthly, in percent: 2.99. */
      readonly 'monthly-rate-percent': number
      /** The number of installments without interest; default 1. */
      readonly 'interest-free'?: number
    }
  | { readonly usual: true }
)

/** Query for the installments of an amount. */
export interface InstallmentsQuery {
  /** Lowercase brand identifier, as the bin lookup returns it. */
  readonly brand: string
  readonly amount: number
  /** Default `BR`. */
  readonly country?: string
  /** Default `BRL`. */
  readonly currency?: string
}

/** The same, for a card whose first digits are known. */
export interface CardLookupQuery extends Omit<InstallmentsQuery, 'brand'> {
  /** First six to twelve digits. */
  readonly bin: string
}

/** Additions to a request that creates something. */
export interface CreateOptions {
  /**
   * The same request within 24 hours returns the first response; drawn when absent. A creation
   * without a reference derives one from it.
   */
  readonly idempotencyKey?: string
}

/** Filters of a list of events. */
export interface EventQuery {
  readonly type?: EventType
  /** Only those of one payment. */
  readonly 'transaction-code'?: string
  readonly 'created-from'?: Date
  /** Not included. */
  readonly 'created-until'?: Date
  /** Items of a page: 1 to 100. */
  readonly limit?: number
  /** `next-cursor` of the page before. */
  readonly cursor?: string
}

export interface CreateEventEndpointRequest {
  readonly url: string
  /** Default: all, those of later releases too. */
  readonly types?: readonly EventType[]
  readonly enabled?: boolean
}

/** Absent fields stay as they are. */
export interface ChangeEventEndpointRequest {
  readonly url?: string
  readonly types?: readonly EventType[]
  readonly enabled?: boolean
}

import type { FieldName } from '../checkout/field-name.js'
import type { CheckoutProblem } from '../checkout/checkout-problem.js'
import type { PaymentKind } from '../order/order-payment.js'
import type { BackOfficeMessages } from './back-office-messages.js'
import type { Notice } from './notice.js'
import type { OrderMessages } from './order-messages.js'

/** Errors of the browser library (specification, section 7.3). */
type LibraryError =
  | 'callback_must_be_a_function'
  | 'creditcard_object_malformed'
  | 'credit_card_internal_error'
  | 'creditcard_invalid_fields'
  | 'creditcard_invalid_object'
  | 'session_create_error'
  | 'session_creating_in_progress'
  | 'session_network_error'

/** Card inputs; they have no name, so they have identifiers of their own. */
export type CardInput = 'card-number' | 'card-expiry' | 'card-cvv'

export type { Notice }

/** Every text of the shop; a language that misses one does not compile. */
export interface Messages {
  readonly shop: {
    readonly name: string
    readonly tagline: string
    readonly demoNotice: string
    readonly skipToContent: string
    readonly mainNavigation: string
    readonly catalogue: string
    readonly orders: string
    readonly cart: string
    readonly cartItems: (count: number) => string
    /** Name of the other language, in that language. */
    readonly otherLanguage: string
    readonly footer: string
    readonly securityNote: string
    readonly backOffice: string
    readonly notFound: Notice
    readonly brokenDown: Notice
    readonly notAForm: Notice
    readonly tooLarge: Notice
    readonly backToShop: string
  }
  readonly catalogue: {
    readonly heroTitle: string
    readonly heroText: string
    readonly heroAction: string
    readonly promises: readonly [Notice, Notice, Notice]
    readonly physicalTitle: string
    readonly digitalTitle: string
    readonly addToCart: string
    readonly addToCartLabel: (name: string) => string
    readonly physicalBadge: string
    readonly digitalBadge: string
  }
  readonly cart: {
    readonly title: string
    readonly empty: Notice
    readonly keepShopping: string
    readonly increase: (name: string) => string
    readonly decrease: (name: string) => string
    readonly quantity: (name: string, quantity: number) => string
    readonly remove: string
    readonly removeLabel: (name: string) => string
    readonly each: (price: string) => string
    readonly summary: string
    readonly subtotal: string
    readonly shipping: string
    readonly freeShipping: string
    readonly total: string
    readonly checkout: string
    readonly edit: string
  }
  readonly checkout: {
    readonly title: string
    readonly contact: string
    readonly contactHint: string
    readonly address: string
    readonly payment: string
    readonly chooseMethod: string
    readonly methods: Readonly<Record<Exclude<PaymentKind, 'wallet'>, Notice>>
    readonly walletMethod: (name: string) => Notice
    readonly paymentHint: string
    readonly fields: Readonly<Record<FieldName, string>>
    readonly hints: Readonly<Partial<Record<FieldName, string>>>
    readonly fieldErrors: Readonly<Record<FieldName, string>>
    readonly chooseState: string
    readonly cardFields: Readonly<Record<CardInput, string>>
    readonly cardHints: Readonly<Record<CardInput, string>>
    readonly cardErrors: Readonly<Record<CardInput, string>>
    readonly chooseCard: string
    readonly savedCard: (brand: string, lastFour: string) => string
    readonly savedCardHint: (expiry: string, email: string) => string
    readonly newCard: string
    readonly installments: string
    readonly installmentsHint: string
    readonly oneInstallment: (amount: string) => string
    readonly manyInstallments: (count: number, amount: string) => string
    readonly interestFree: string
    readonly withInterest: (total: string) => string
    readonly saveCard: string
    readonly saveCardHint: string
    readonly pay: Readonly<Record<PaymentKind, (total: string) => string>>
    readonly paying: string
    readonly encrypting: string
    readonly problemsTitle: string
    readonly needsScript: string
    readonly problems: Readonly<Record<CheckoutProblem, string>>
    readonly libraryErrors: Readonly<Record<LibraryError, string>>
    readonly test: {
      readonly title: string
      readonly hint: string
      readonly fill: string
      readonly cards: string
      readonly use: (name: string) => string
      readonly approves: string
      readonly declines: string
    }
  }
  readonly order: OrderMessages
  readonly backOffice: BackOfficeMessages
}

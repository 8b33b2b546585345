import { type MinorUnits, minorUnits } from '../value/money.js'

/** `charge[].payment-method.type` (specification, section 2.1). */
export const PAYMENT_TYPES = ['credit-card', 'postpay', 'e-wallet', 'eft'] as const
export type PaymentType = (typeof PAYMENT_TYPES)[number]

/** The type that has a brand, installments and declines. */
export const CARD_TYPE = 'credit-card' satisfies PaymentType

// Limits of the API (specification, section 8), for checks, explanations and tests.

/** Smallest amount of a charge, per method. */
export const AMOUNT_MIN: Readonly<Record<PaymentType, MinorUnits>> = {
  'credit-card': minorUnits(20),
  postpay: minorUnits(1),
  'e-wallet': minorUnits(1),
  eft: minorUnits(100),
}
/** Smallest price of an item, and smallest amount of a lookup or a refund. */
export const ONE_CENT: MinorUnits = minorUnits(1)
/** Largest purchase for a payer's document, unless the operator sets another limit. */
export const DEFAULT_PURCHASE_LIMIT: MinorUnits = minorUnits(1_000_000)

export const CART_QUANTITY_MAX = 999_999_999
export const INSTALLMENTS_MAX = 12
/** Maximum for a store whose contracts with its acquirers allow more. */
export const INSTALLMENTS_BY_CONTRACT_MAX = 18
// Each pattern repeats its length as a literal, so that tools can judge its running time.
export const REFERENCE_LENGTH_MAX = 64
export const REFERENCE = /^[A-Za-z0-9._-]{1,64}$/
/** Keys of a transaction's, a refund's or a link's metadata. */
export const METADATA_KEYS_MAX = 20
/** Keys that a search of payments may name. */
export const METADATA_SEARCH_KEYS_MAX = 5
export const METADATA_KEY_LENGTH_MAX = 40
export const METADATA_KEY = /^[A-Za-z0-9._-]{1,40}$/
export const METADATA_VALUE_LENGTH_MAX = 500
/** Leaves room for `-` and the number of a try in a transaction's reference. */
export const LINK_REFERENCE_LENGTH_MAX = 56
export const LINK_REFERENCE = /^[A-Za-z0-9._-]{1,56}$/
export const LINK_DAYS_MAX = 366
export const EVENT_ENDPOINTS_MAX = 10
export const EVENTS_KEPT_DAYS = 30
/** Cards that a payer or an IP address may have checked without a charge. */
export const CARD_CHECKS_PER_HOUR = 5

export const SAVED_CODE_LENGTH = 32
export const SAVED_CODE = /^[A-Za-z0-9]{32}$/
export const URL_LENGTH_MAX = 200
export const NAME_LENGTH_MAX = 255
export const NAME_LENGTH_MAX_WITHOUT_CARD = 50
export const FIRST_BIRTH_YEAR = '1900'
export const TRANSACTION_CODE_DIGITS_MAX = 15
/** Written form of a transaction's or a refund's code. */
export const DECIMAL_CODE = /^\d{1,15}$/
export const TRANSACTION_CODE = /^[1-9]\d{0,14}$/
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255

export const SEARCH_RANGE_DAYS_MAX = 30
export const SEARCH_PAGE_MAX = 1_000_000
export const PAGE_RESULTS_MAX = 10
/** Items that a page of a list with a cursor has at most. */
export const LIST_LIMIT_MAX = 100
/** As many as where no limit is asked for. */
export const LIST_LIMIT_USUAL = 25

/** Days after the payment in which it may be refunded (specification, decision 9 of section 10). */
export const REFUND_DAYS: Readonly<Record<PaymentType, number>> = {
  'credit-card': 360,
  eft: 90,
  postpay: 90,
  'e-wallet': 90,
}

// The gateway's requests to the vault for charges, in process or over HTTP.
import { z } from 'zod'
import type { CardDetails } from '../card/card-rules.js'
import { declineSchema } from '../transaction/decline.js'
import { DECIMAL_CODE, SAVED_CODE } from '../transaction/limits.js'
import type { Deadline } from '../value/deadline.js'
import { ENVIRONMENTS, type Environment } from '../value/environment.js'
import { minorUnits } from '../value/money.js'
import type { Secret } from '../value/secret.js'

/** The charge that an order or a query concerns. */
export const orderKeySchema = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  /** Idempotency key of the charge. */
  transactionCode: z.string().regex(DECIMAL_CODE),
})

const RETURN_URL_LENGTH_MAX = 1024

/** An order without its card. */
export const orderSchema = orderKeySchema.extend({
  merchantId: z.string().min(1),
  payerEmail: z.string(),
  /** Amount to charge, including interest. */
  amountMinor: z.int().nonnegative().transform(minorUnits),
  installments: z.int().positive(),
  /** The brand that the shop named; another card is refused. */
  brand: z.string().optional(),
  saveCard: z.boolean(),
  /** Required by acquirers; its name replaces the holder's. */
  payer: z
    .strictObject({
      name: z.string(),
      /** CPF or CNPJ without punctuation. */
      document: z.string().optional(),
      ip: z.string().optional(),
    })
    .optional(),
  /** First six digits of cards that must be refused. */
  refusedBins: z
    .array(z.string().regex(/^\d{6}$/))
    .readonly()
    .optional(),
  /** The gateway accepts BINs of eight digits and `eci`; an older one refuses both. */
  takesLongBin: z.literal(true).optional(),
  /** True for charges by agreement, without their payer. */
  isSubscription: z.boolean().optional(),
  /** The order is paid at a payment link. */
  isFromLink: z.literal(true).optional(),
  /** Only authorized: captured or voided later. */
  isCapturedLater: z.literal(true).optional(),
  /**
   * Address to which the payer's browser returns from the card's bank. Without it, the payer can't
   * be authenticated, and a charge that needs authentication is declined.
   */
  authenticationReturnUrl: z.string().max(RETURN_URL_LENGTH_MAX).optional(),
})

/**
 * The result of a 3-D Secure server, which Cofre does not run. Used only once, with its order; its
 * CAVV is erased after use.
 */
export interface ThreeDSecureResult {
  /** `2.2.0` */
  readonly version: string
  /** `05` */
  readonly eci: string
  readonly cavv: Secret<string>
  readonly directoryServerTransactionId: string | undefined
}

/** The card to charge. A store needs a right to send the card itself. */
export type CardSource =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'code'
      readonly code: string
      /** The card's encrypted security code. */
      readonly securityCodeToken?: string | undefined
    }
  | { readonly kind: 'raw'; readonly card: Secret<CardDetails> }

/** One authorization. The same environment and transaction code get the first answer again. */
export type CardOrder = Readonly<z.output<typeof orderSchema>> & {
  readonly source: CardSource
  readonly threeDSecure?: ThreeDSecureResult
  /** Time at which the shop stops waiting. No further account is tried if it would answer later. */
  readonly deadline?: Deadline | undefined
}

const lastFour = z.string().regex(/^\d{4}$/)

export const cardSummarySchema = z.strictObject({
  brand: z.string(),
  /** Eight digits for a number of 16, six for others; six for an older gateway. */
  bin: z.string().regex(/^(?:\d{6}|\d{8})$/),
  lastFour,
})
/** Card data that may leave the vault. */
export type CardSummary = Readonly<z.output<typeof cardSummarySchema>>

const savedCardSchema = z.strictObject({
  code: z.string().regex(SAVED_CODE),
  brand: z.string(),
  lastFour,
  expirationDate: z.string().regex(/^\d{4}-\d{2}$/),
  createdAtMs: z.int(),
})
/** The shop's view of a saved card. */
export type SavedCardSummary = Readonly<z.output<typeof savedCardSchema>>

const outcomeSchema = z.enum(['approved', 'declined', 'pending', 'review', 'unknown'])
/** `unknown`: the acquirer did not respond in time; send the same order again. */
export type AuthorizationOutcome = z.output<typeof outcomeSchema>

export const refusalSchema = z.enum([
  'token_invalid',
  'card_invalid',
  'brand_not_accepted',
  'brand_mismatch',
  // The order's `refusedBins` contain the card's BIN.
  'bin_refused',
  'code_not_found',
  // Only for an order with a security code's token: an older gateway sends none.
  'security_code_token_invalid',
  // The order certainly did not reach the vault: it may be sent again later.
  'vault_unavailable',
  // No account of the store charges this card.
  'no_account',
  // Accounts were tried, and each proved that it charged nothing.
  'acquirer_unavailable',
  // Only for an order that is captured later: no account of the store can do that for this card.
  'capture_later_not_possible',
])
/** Reason why no acquirer charged. Nothing was charged or used up. */
export type CardRefusal = z.output<typeof refusalSchema>

export const tokenFaultSchema = z.enum([
  'malformed',
  'unknown',
  'used',
  'expired',
  'foreign',
  'wrong_length',
])
/**
 * Reason why a token is invalid. `foreign`: it is another store's. `wrong_length`: the card's brand
 * has security codes of another length; no older gateway gets it.
 */
export type TokenFault = z.output<typeof tokenFaultSchema>

/** An acquirer's identifiers of a charge. Those that it does not return are absent. */
const acquirerChargeSchema = z.strictObject({
  accountId: z.string(),
  /** `adyen` */
  provider: z.string(),
  paymentId: z.string().optional(),
  nsu: z.string().optional(),
  authorizationCode: z.string().optional(),
  /**
   * True if the holder was authenticated and the issuer is liable for fraud. Absent without 3-DS.
   */
  liabilityShift: z.boolean().optional(),
  /** ECI of the authentication, such as `05`. Only with `takesLongBin`. */
  eci: z.string().optional(),
  /** True if later charges can name this one to the brand. Only with `takesLongBin`. */
  hasNetworkIds: z.boolean().optional(),
  /** When the acquirer releases the authorization. Only for an order that is captured later. */
  captureEndsAtMs: z.int().optional(),
})
export type AcquirerCharge = Readonly<z.output<typeof acquirerChargeSchema>>

const authenticationSchema = z.strictObject({
  /** Next step of the payer's browser: GET the address, or POST the fields to it. */
  action: z.strictObject({
    method: z.enum(['GET', 'POST']),
    url: z.string(),
    fields: z.record(z.string(), z.string()),
  }),
  /** Until then the payer may return; afterwards the charge is abandoned. */
  expiresAtMs: z.int(),
})
/**
 * The card's bank wants to authenticate its holder. Anyone who knows the action can act as the
 * payer.
 */
export type CardAuthentication = Readonly<z.output<typeof authenticationSchema>>
export type AuthenticationAction = CardAuthentication['action']

/** Strict, so that a response has no room for a card number. */
export const answeredSchema = z.strictObject({
  kind: z.literal('answered'),
  outcome: outcomeSchema,
  /** Approved, and nothing is captured yet. Only for an order that is captured later. */
  isAuthorizedOnly: z.literal(true).optional(),
  card: cardSummarySchema,
  /** Present if this order saved the card. */
  savedCard: savedCardSchema.optional(),
  /** Absent if only the sandbox decided. */
  charge: acquirerChargeSchema.optional(),
  /** Reason of the decline. */
  decline: declineSchema.optional(),
  /**
   * Authentication of a `pending` charge that waits for its payer. Only if the order had a return
   * address: an older gateway refuses it.
   */
  authentication: authenticationSchema.optional(),
})

export const cardAnswerSchema = z.discriminatedUnion('kind', [
  answeredSchema,
  z.strictObject({
    kind: z.literal('refused'),
    reason: refusalSchema,
    /** Only in the sandbox, for a gateway that names the payer: an older one refuses it. */
    tokenFault: tokenFaultSchema.optional(),
  }),
])
export type CardAnswer = Readonly<z.output<typeof cardAnswerSchema>>

/** Adyen's results may be this long. */
export const AUTHENTICATION_RESULT_LENGTH_MAX = 20_000

/** A query after an order whose payer must be authenticated. */
export const authenticationRequestSchema = orderKeySchema.extend({
  /** Result from the payer's browser; only the acquirer can verify it. */
  result: z.string().min(1).max(AUTHENTICATION_RESULT_LENGTH_MAX).optional(),
})
export type AuthenticationRequest = Readonly<z.output<typeof authenticationRequestSchema>>

export const brandOfStoreSchema = orderSchema
  .pick({ environment: true, merchantId: true })
  .extend({ brand: z.string() })
export type BrandOfStore = Readonly<z.output<typeof brandOfStoreSchema>>

/** Card charges, as the gateway needs them. The vault implements it, in process or over HTTP. */
export interface CardPayments {
  /**
   * Charges a card at most once per environment and transaction code. A repeated call gets the same
   * answer, and asks the acquirer again under the same key while the outcome is unknown. Another
   * order with that code, of another store, amount or number of installments, is refused. A refusal
   * charges nothing and uses up nothing. A rejected promise means that the outcome is unknown.
   */
  authorize(order: CardOrder): Promise<CardAnswer>
  /**
   * Outcome of an order whose response was lost; asks the acquirer again while it is unknown.
   * Undefined if the order never arrived: it is refused from then on.
   */
  recallAuthorization(
    environment: Environment,
    transactionCode: string,
  ): Promise<CardAnswer | undefined>
  /**
   * True if the order has arrived. Asks no acquirer. An order that has not arrived is refused from
   * then on.
   */
  hasArrived(environment: Environment, transactionCode: string): Promise<boolean>
  /**
   * Outcome of an order whose payer must be authenticated. While the authentication is open, the
   * answer has the browser's next step, unless a returned result is still being checked. With a
   * result, its acquirer is asked first. Undefined if the order never arrived. Harmless when
   * repeated, or with a result that is forged or belongs to another order.
   */
  authenticate(request: AuthenticationRequest): Promise<CardAnswer | undefined>
  /**
   * Most installments that the store's accounts charge for a card of the brand: 0 if none charges
   * it, undefined if one sets no bound. Absent if charges are simulated.
   */
  readonly installmentsFor?: (order: BrandOfStore) => Promise<number | undefined>
  /**
   * Makes the card that a completed transaction saved usable. Harmless if it saved none, or when
   * repeated. While the outcome is unknown no card is saved: recall the order first.
   */
  activateSavedCard(environment: Environment, transactionCode: string): Promise<void>
}

// What the gateway asks of the vault, in process or over HTTP.
import { z } from 'zod'
import type { CardDetails } from '../card/card-rules.js'
import { declineSchema } from '../transaction/decline.js'
import { DECIMAL_CODE, SAVED_CODE } from '../transaction/limits.js'
import type { Deadline } from '../value/deadline.js'
import { ENVIRONMENTS, type Environment } from '../value/environment.js'
import { minorUnits } from '../value/money.js'
import type { Secret } from '../value/secret.js'

/** The charge that an order or a question is about. */
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
  /** What the card is charged, interest included. */
  amountMinor: z.int().nonnegative().transform(minorUnits),
  installments: z.int().positive(),
  /** The brand the shop named, if it did; another card is refused. */
  brand: z.string().optional(),
  saveCard: z.boolean(),
  /** Acquirers want to know; its name stands for the holder's. */
  payer: z
    .strictObject({
      name: z.string(),
      /** CPF or CNPJ without punctuation. */
      document: z.string().optional(),
      ip: z.string().optional(),
    })
    .optional(),
  /** First six digits of cards that are not to be charged. */
  refusedBins: z
    .array(z.string().regex(/^\d{6}$/))
    .readonly()
    .optional(),
  /** The gateway takes BINs of eight digits, and `eci`: an older one refuses them. */
  takesLongBin: z.literal(true).optional(),
  /** For charges that follow by agreement, without their payer. */
  isSubscription: z.boolean().optional(),
  /** It is paid at a payment link. */
  isFromLink: z.literal(true).optional(),
  /**
   * Where the payer's browser comes back to from the card's bank. Without it nobody is there to be
   * authenticated: what is not charged without that is declined.
   */
  authenticationReturnUrl: z.string().max(RETURN_URL_LENGTH_MAX).optional(),
})

/**
 * The result of a 3-D Secure server, which Cofre does not run. Used once, with its order alone; its
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

/** The card to charge; a store needs a right to send the card itself. */
export type CardSource =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'raw'; readonly card: Secret<CardDetails> }

/** One authorization. The same environment and transaction code get the first answer again. */
export type CardOrder = Readonly<z.output<typeof orderSchema>> & {
  readonly source: CardSource
  readonly threeDSecure?: ThreeDSecureResult
  /** When its shop stops waiting; no other account is asked that would answer later. */
  readonly deadline?: Deadline | undefined
}

const lastFour = z.string().regex(/^\d{4}$/)

const cardSummarySchema = z.strictObject({
  brand: z.string(),
  /** Eight digits of a number of 16, six of another; six where an older gateway asks. */
  bin: z.string().regex(/^(?:\d{6}|\d{8})$/),
  lastFour,
})
/** What may leave the vault about a card. */
export type CardSummary = Readonly<z.output<typeof cardSummarySchema>>

const savedCardSchema = z.strictObject({
  code: z.string().regex(SAVED_CODE),
  brand: z.string(),
  lastFour,
  expirationDate: z.string().regex(/^\d{4}-\d{2}$/),
  createdAtMs: z.int(),
})
/** A saved card, as the shop gets to see it. */
export type SavedCardSummary = Readonly<z.output<typeof savedCardSchema>>

const outcomeSchema = z.enum(['approved', 'declined', 'pending', 'review', 'unknown'])
/** `unknown`: the acquirer was asked and did not respond in time; send the same order again. */
export type AuthorizationOutcome = z.output<typeof outcomeSchema>

const refusalSchema = z.enum([
  'token_invalid',
  'card_invalid',
  'brand_not_accepted',
  'brand_mismatch',
  // Of the order's `refusedBins`.
  'bin_refused',
  'code_not_found',
  // The vault was not reached, for certain: the same order may be sent again later.
  'vault_unavailable',
  // The store has no account that charges this card.
  'no_account',
  // Accounts were asked, and each proved that nothing was charged.
  'acquirer_unavailable',
])
/** Why the acquirer was not asked. Nothing was charged and nothing was used up. */
export type CardRefusal = z.output<typeof refusalSchema>

const tokenFaultSchema = z.enum(['malformed', 'unknown', 'used', 'expired', 'foreign'])
/** Why a direct token is invalid. `foreign`: it is another store's. */
export type TokenFault = z.output<typeof tokenFaultSchema>

/** How an account's acquirer knows a charge. What it does not tell is absent. */
const acquirerChargeSchema = z.strictObject({
  accountId: z.string(),
  /** `adyen` */
  provider: z.string(),
  paymentId: z.string().optional(),
  nsu: z.string().optional(),
  authorizationCode: z.string().optional(),
  /** The issuer answers for fraud: the holder was authenticated. Absent without 3-DS. */
  liabilityShift: z.boolean().optional(),
  /** Of the authentication, by the brand's table: `05`. With `takesLongBin` alone. */
  eci: z.string().optional(),
  /** Whether later charges can name it to the brand. With `takesLongBin` alone. */
  hasNetworkIds: z.boolean().optional(),
})
export type AcquirerCharge = Readonly<z.output<typeof acquirerChargeSchema>>

const authenticationSchema = z.strictObject({
  /** Where the payer's browser goes: by GET to the address, or by POST with the fields. */
  action: z.strictObject({
    method: z.enum(['GET', 'POST']),
    url: z.string(),
    fields: z.record(z.string(), z.string()),
  }),
  /** Until then the payer may come back; after that the charge is given up. */
  expiresAtMs: z.int(),
})
/** The card's bank wants to authenticate its holder. Who knows the action can act as the payer. */
export type CardAuthentication = Readonly<z.output<typeof authenticationSchema>>
export type AuthenticationAction = CardAuthentication['action']

/** Strict, so that an answer has no room for a card number. */
export const answeredSchema = z.strictObject({
  kind: z.literal('answered'),
  outcome: outcomeSchema,
  card: cardSummarySchema,
  /** Present when this order saved the card. */
  savedCard: savedCardSchema.optional(),
  /** Absent where nobody but the sandbox was asked. */
  charge: acquirerChargeSchema.optional(),
  /** Why it was declined. */
  decline: declineSchema.optional(),
  /**
   * Of a `pending` one that waits for its payer. Only where the order had a return address: an
   * older gateway refuses it.
   */
  authentication: authenticationSchema.optional(),
})

export const cardAnswerSchema = z.discriminatedUnion('kind', [
  answeredSchema,
  z.strictObject({
    kind: z.literal('refused'),
    reason: refusalSchema,
    /** In the sandbox alone, to a gateway that says who pays: an older one refuses it. */
    tokenFault: tokenFaultSchema.optional(),
  }),
])
export type CardAnswer = Readonly<z.output<typeof cardAnswerSchema>>

/** As long as Adyen's own may be. */
export const AUTHENTICATION_RESULT_LENGTH_MAX = 20_000

/** A question after an order whose payer is to be authenticated. */
export const authenticationRequestSchema = orderKeySchema.extend({
  /** What the payer's browser has brought back; only the acquirer can tell what it is worth. */
  result: z.string().min(1).max(AUTHENTICATION_RESULT_LENGTH_MAX).optional(),
})
export type AuthenticationRequest = Readonly<z.output<typeof authenticationRequestSchema>>

export const brandOfStoreSchema = orderSchema
  .pick({ environment: true, merchantId: true })
  .extend({ brand: z.string() })
export type BrandOfStore = Readonly<z.output<typeof brandOfStoreSchema>>

/** Card charges, as the gateway needs them. Filled by the vault, in process or over HTTP. */
export interface CardPayments {
  /**
   * Charges a card at most once per environment and transaction code: asked again, it gives the
   * same answer, and asks the acquirer again under the same key while the outcome is unknown.
   * Another order of that code, of another store, amount or number of installments, is refused. A
   * refusal charges nothing and uses up nothing. A rejected promise means that the outcome is
   * unknown.
   */
  authorize(order: CardOrder): Promise<CardAnswer>
  /**
   * What became of an order whose answer was lost; asks the acquirer again while it is unknown.
   * Undefined when the order never arrived: it is refused from then on.
   */
  recallAuthorization(
    environment: Environment,
    transactionCode: string,
  ): Promise<CardAnswer | undefined>
  /**
   * Whether an order has ever arrived; no acquirer is asked. One that has not is refused from then
   * on.
   */
  hasArrived(environment: Environment, transactionCode: string): Promise<boolean>
  /**
   * What became of an order whose payer is to be authenticated: while that is open, where its
   * browser goes, unless what it has brought back is not judged yet. With a result its acquirer is
   * asked first. Undefined when the order never arrived. Harmless when it is repeated, and with a
   * result that is forged or another order's.
   */
  authenticate(request: AuthenticationRequest): Promise<CardAnswer | undefined>
  /**
   * In how many installments the store's accounts charge a card of the brand at most: 0 where none
   * does, undefined where one names no bound. Absent where charges are played.
   */
  readonly installmentsFor?: (order: BrandOfStore) => Promise<number | undefined>
  /**
   * Makes the card that a completed transaction saved usable. Harmless when it saved none, or is
   * asked again. While the outcome is unknown no card is saved: recall the order first.
   */
  activateSavedCard(environment: Environment, transactionCode: string): Promise<void>
}

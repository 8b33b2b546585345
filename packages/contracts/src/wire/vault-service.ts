// The vault's service port, for a gateway and a vault in two processes: JSON, always by POST.
import { z } from 'zod'
import {
  authenticationRequestSchema,
  brandOfStoreSchema,
  cardAnswerSchema,
  orderKeySchema,
  orderSchema,
} from './card-authorization.js'
import { cardAccountsSchema } from './card-account.js'
import { cardCheckAnswerSchema, cardCheckSchema } from './card-check.js'
import {
  captureAnswerSchema,
  cardCaptureSchema,
  cardChangeSchema,
  cardRefundAnswerSchema,
  cardRefundSchema,
  cardVoidSchema,
  coveredDaysSchema,
} from './card-return.js'
import type { SessionAnswer } from './direct-token.js'
import { fieldSettingsSchema } from './field-settings.js'
import { cardsOfPayerSchema, storedCardKeySchema, storedCardSchema } from './stored-card.js'

/** A call of the service port, with the body of its request and of its response. */
export interface VaultCall<Request, Response> {
  readonly path: string
  readonly request: z.ZodType<Request>
  readonly response: z.ZodType<Response>
}

function call<Request, Response>(
  path: string,
  request: z.ZodType<Request>,
  response: z.ZodType<Response>,
): VaultCall<Request, Response> {
  return { path, request, response }
}

/**
 * Query parameter of an authorization: milliseconds that its shop still waits. Vaults of older
 * releases ignore it here; in the body they would refuse an unknown field.
 */
export const SHOP_WAITS_PARAMETER = 'shop-waits-ms'

/** Limit of accounts in one report of covered days. */
export const COVERED_AT_ONCE = 100

/** `encrypted` is a raw card: the gateway's direct token to a session that it opened itself. */
const sourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('token'), token: z.string() }),
  z.strictObject({ kind: z.literal('encrypted'), token: z.string() }),
  z.strictObject({
    kind: z.literal('code'),
    code: z.string(),
    securityCodeToken: z.string().optional(),
  }),
])
export type WireCardSource = Readonly<z.output<typeof sourceSchema>>

const wireCardOrderSchema = orderSchema.extend({
  source: sourceSchema,
  /** A 3-DS result, encrypted like a raw card, to a session of its own. */
  threeDSecure: z.string().optional(),
})
export type WireCardOrder = Readonly<z.output<typeof wireCardOrderSchema>>

/** The decrypted `threeDSecure` of an order; valid only for that order. */
export const sealedThreeDSecureSchema = orderKeySchema.extend({
  version: z.string(),
  eci: z.string(),
  cavv: z.string(),
  directoryServerTransactionId: z.string().optional(),
})
export type SealedThreeDSecure = Readonly<z.output<typeof sealedThreeDSecureSchema>>

const sessionAnswerSchema: z.ZodType<SessionAnswer> = z.object({
  id: z.string(),
  'public-key': z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
  }),
  'expires-in': z.number(),
})

const environmentSchema = orderKeySchema.pick({ environment: true })

/** Ignored by its reader. */
const empty = z.unknown()

export const VAULT_CALLS = {
  ping: call('/v1/ping', empty, empty),
  sessions: call('/v1/sessions', empty, sessionAnswerSchema),
  authorizations: call('/v1/authorizations', wireCardOrderSchema, cardAnswerSchema),
  /** The answer is null when the order never arrived. */
  recalls: call(
    '/v1/recalls',
    orderKeySchema,
    z.strictObject({ answer: cardAnswerSchema.nullable() }),
  ),
  /** False: the order has not arrived, and is refused from then on. */
  arrivals: call('/v1/arrivals', orderKeySchema, z.strictObject({ hasArrived: z.boolean() })),
  /** The answer is null when the order never arrived. */
  authentications: call(
    '/v1/authentications',
    authenticationRequestSchema,
    z.strictObject({ answer: cardAnswerSchema.nullable() }),
  ),
  /** The answer is null if an account sets no bound. */
  installments: call(
    '/v1/installments',
    brandOfStoreSchema,
    z.strictObject({ most: z.int().nonnegative().nullable() }),
  ),
  activations: call('/v1/activations', orderKeySchema, empty),
  refunds: call('/v1/refunds', cardRefundSchema, cardRefundAnswerSchema),
  captures: call('/v1/captures', cardCaptureSchema, captureAnswerSchema),
  voids: call('/v1/voids', cardVoidSchema, captureAnswerSchema),
  changes: call(
    '/v1/changes',
    environmentSchema,
    z.strictObject({ changes: z.array(cardChangeSchema) }),
  ),
  acknowledgements: call(
    '/v1/acknowledgements',
    environmentSchema.extend({ ids: z.array(z.string()) }),
    empty,
  ),
  coveredAccounts: call(
    '/v1/covered-accounts',
    environmentSchema.extend({ accounts: z.array(coveredDaysSchema).max(COVERED_AT_ONCE) }),
    empty,
  ),
  cardAccounts: call(
    '/v1/card-accounts',
    brandOfStoreSchema.pick({ environment: true, merchantId: true }),
    cardAccountsSchema,
  ),
  cardChecks: call('/v1/card-checks', cardCheckSchema, cardCheckAnswerSchema),
  storedCards: call(
    '/v1/stored-cards',
    cardsOfPayerSchema,
    z.strictObject({ cards: z.array(storedCardSchema) }),
  ),
  /** The answer is null if the store has no such card. */
  storedCard: call(
    '/v1/stored-card',
    storedCardKeySchema,
    z.strictObject({ card: storedCardSchema.nullable() }),
  ),
  /** Repeated, it answers false. */
  cardDeletions: call(
    '/v1/card-deletions',
    storedCardKeySchema,
    z.strictObject({ isDeleted: z.boolean() }),
  ),
  /** The answer is the stored revision. */
  fieldSettings: call(
    '/v1/field-settings',
    fieldSettingsSchema,
    z.strictObject({ revision: z.int() }),
  ),
}

// What a gateway and a vault in another process say to each other: bodies of the vault's service port, as JSON.
import { z } from 'zod'
import type { Environment } from '../value/environment.js'
import { type MinorUnits, minorUnits } from '../value/money.js'
import type { CardAnswer, CardOrder, SavedCardSummary } from './card-authorization.js'
import type { SessionAnswer } from './direct-token.js'

/** Where the vault's service port answers, all by POST. */
export const VAULT_SERVICE_PATHS = {
  ping: '/v1/ping',
  sessions: '/v1/sessions',
  authorizations: '/v1/authorizations',
  recalls: '/v1/recalls',
  activations: '/v1/activations',
} as const

/**
 * The card to charge, as it may travel. A raw card is `encrypted`: a direct token, made by the gateway to a session that
 * the vault opened for it.
 */
export type WireCardSource =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'encrypted'; readonly token: string }
  | { readonly kind: 'code'; readonly code: string }

/** Body of `POST /v1/authorizations`; the answer is a {@link CardAnswer}. */
export interface WireCardOrder extends Omit<CardOrder, 'source'> {
  readonly source: WireCardSource
}

/** Body of `POST /v1/recalls` and `POST /v1/activations`. */
export interface WireOrderKey {
  readonly environment: Environment
  readonly transactionCode: string
}

/** Answer of `POST /v1/recalls`. */
export interface WireRecall {
  /** Null when the order never arrived. */
  readonly answer: CardAnswer | null
}

/** The shape of a message, and how it is read. */
export type WireSchema<T> = z.ZodType<T>

const environment = z.enum(['production', 'sandbox'])
const transactionCode = z.string().regex(/^\d{1,15}$/)
const amountMinor: z.ZodType<MinorUnits> = z.int().nonnegative().transform(minorUnits)

export const wireCardOrderSchema: WireSchema<WireCardOrder> = z.strictObject({
  environment,
  transactionCode,
  merchantId: z.string().min(1),
  source: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('token'), token: z.string() }),
    z.strictObject({ kind: z.literal('encrypted'), token: z.string() }),
    z.strictObject({ kind: z.literal('code'), code: z.string() }),
  ]),
  payerEmail: z.string(),
  amountMinor,
  installments: z.int().positive(),
  brand: z.string().optional(),
  saveCard: z.boolean(),
})

export const wireOrderKeySchema: WireSchema<WireOrderKey> = z.strictObject({
  environment,
  transactionCode,
})

const lastFour = z.string().regex(/^\d{4}$/)

const savedCardSchema: z.ZodType<SavedCardSummary> = z.strictObject({
  code: z.string().regex(/^[A-Za-z0-9]{32}$/),
  brand: z.string(),
  lastFour,
  expirationDate: z.string().regex(/^\d{4}-\d{2}$/),
  createdAtMs: z.int(),
})

/** Strict, so that an answer has no room for a card number. */
export const cardAnswerSchema: WireSchema<CardAnswer> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answered'),
    outcome: z.enum(['approved', 'declined', 'pending', 'review', 'unknown']),
    card: z.strictObject({ brand: z.string(), bin: z.string().regex(/^\d{6}$/), lastFour }),
    savedCard: savedCardSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.enum([
      'token_invalid',
      'card_invalid',
      'brand_not_accepted',
      'brand_mismatch',
      'code_not_found',
      'vault_unavailable',
    ]),
  }),
])

export const wireRecallSchema: WireSchema<WireRecall> = z.strictObject({
  answer: cardAnswerSchema.nullable(),
})

export const sessionAnswerSchema: WireSchema<SessionAnswer> = z.object({
  id: z.string(),
  'public-key': z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
  }),
  'expires-in': z.number(),
})

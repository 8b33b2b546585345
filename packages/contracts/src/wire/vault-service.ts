// Bodies of the vault's service port, for a gateway and a vault in two processes, as JSON.
import { z } from 'zod'
import { cardAnswerSchema, orderKeySchema, orderSchema } from './card-authorization.js'
import type { SessionAnswer } from './direct-token.js'

/** Paths of the vault's service port, all by POST. */
export const VAULT_SERVICE_PATHS = {
  ping: '/v1/ping',
  sessions: '/v1/sessions',
  authorizations: '/v1/authorizations',
  recalls: '/v1/recalls',
  activations: '/v1/activations',
} as const

/** A schema by the type of its output. */
export type WireSchema<T> = z.ZodType<T>

/** `encrypted` is a raw card: the gateway's direct token to a session that it opened itself. */
const sourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('token'), token: z.string() }),
  z.strictObject({ kind: z.literal('encrypted'), token: z.string() }),
  z.strictObject({ kind: z.literal('code'), code: z.string() }),
])
export type WireCardSource = Readonly<z.output<typeof sourceSchema>>

/** Body of `POST /v1/authorizations`; the response is a {@link CardAnswer}. */
export const wireCardOrderSchema = orderSchema.extend({ source: sourceSchema })
export type WireCardOrder = Readonly<z.output<typeof wireCardOrderSchema>>

/** Body of `POST /v1/recalls` and `POST /v1/activations`. */
export const wireOrderKeySchema = orderKeySchema
export type WireOrderKey = Readonly<z.output<typeof orderKeySchema>>

/** Response of `POST /v1/recalls`; null when the order never arrived. */
export const wireRecallSchema = z.strictObject({ answer: cardAnswerSchema.nullable() })

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

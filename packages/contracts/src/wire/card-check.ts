// A card that is saved before any charge: its acquirer checks it by an amount of zero.
import { z } from 'zod'
import { declineSchema } from '../transaction/decline.js'
import type { Deadline } from '../value/deadline.js'
import { ENVIRONMENTS } from '../value/environment.js'
import { cardSummarySchema, refusalSchema, tokenFaultSchema } from './card-authorization.js'
import { storedCardSchema } from './stored-card.js'

/** A direct token's card to check. */
export const cardCheckSchema = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  merchantId: z.string().min(1),
  token: z.string(),
  payer: z.strictObject({
    name: z.string(),
    /** CPF or CNPJ without punctuation. */
    document: z.string().min(1),
    email: z.string().min(1),
    ip: z.string().min(1),
  }),
  /** The part of the payer's address by which checks are counted. */
  countedAddress: z.string().min(1),
  /** First six digits of cards that must be refused. */
  refusedBins: z
    .array(z.string().regex(/^\d{6}$/))
    .readonly()
    .optional(),
  /** False if an approved card is not to be saved. */
  saveCard: z.boolean(),
})
export type CardCheck = Readonly<z.output<typeof cardCheckSchema>> & {
  /** When the shop stops waiting. No further account is asked if it would answer later. */
  readonly deadline?: Deadline | undefined
}

const checkRefusalSchema = z.enum([
  ...refusalSchema.extract([
    'token_invalid',
    'brand_not_accepted',
    'bin_refused',
    'no_account',
    'acquirer_unavailable',
  ]).options,
  // No account of the store checks this card without a charge.
  'check_not_supported',
  // The payer or the address had as many checks in the last hour as are allowed.
  'too_many_checks',
  // The same token is being checked.
  'in_progress',
])
/** Why no acquirer was asked. The token is unspent, unless it is being checked. */
export type CheckRefusal = z.output<typeof checkRefusalSchema>

/** Strict, so that an answer has no room for a card number. */
export const cardCheckAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answered'),
    /** `unknown`: the acquirer's answer was lost. Nothing is saved then, nor later. */
    outcome: z.enum(['approved', 'declined', 'unknown']),
    /** Identifies the check, in its environment. */
    checkCode: z.int(),
    card: cardSummarySchema,
    /** Present for an approved card that was to be saved. */
    savedCard: storedCardSchema.optional(),
    decline: declineSchema.optional(),
    atMs: z.int(),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: checkRefusalSchema,
    /** Only in the sandbox. */
    tokenFault: tokenFaultSchema.optional(),
  }),
])
export type CardCheckAnswer = Readonly<z.output<typeof cardCheckAnswerSchema>>
export type CheckedCard = Extract<CardCheckAnswer, { kind: 'answered' }>

/** Checks of cards, as a store requests them. The vault implements it, in process or by HTTP. */
export interface CardChecks {
  /**
   * Checks a card once for each token, and saves an approved one for the payer. The same token of
   * the same payer gets the same answer for a day. A refusal uses up nothing. A rejected promise
   * means that the outcome is unknown: repeat the call.
   */
  checkCard(check: CardCheck): Promise<CardCheckAnswer>
}

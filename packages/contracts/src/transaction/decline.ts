import { z } from 'zod'

/**
 * Our reasons for declines: a closed list, made from ABECS's table of the brands' codes. For shops
 * and operators; a shopper reads a vaguer text.
 */
export const DECLINE_REASONS = [
  /** The issuer gave no reason. */
  'generic',
  'insufficient_funds',
  'amount_limit_exceeded',
  'invalid_card_number',
  'expired_card',
  /** The security code or another cryptogram is wrong. */
  'security_code_invalid',
  'pin_invalid',
  'suspected_fraud',
  'lost_card',
  'stolen_card',
  'card_blocked',
  /** A new card that its holder has not activated yet. */
  'card_not_unblocked',
  'account_closed',
  /** The card does not allow this kind of purchase. */
  'not_permitted',
  'not_permitted_abroad',
  /** A debit card was used as a credit card, or the reverse. */
  'wrong_function',
  'invalid_amount',
  'invalid_installments',
  'attempts_exceeded',
  'issuer_unavailable',
  'issuer_not_found',
  /** A system between acquirer and issuer failed. */
  'system_failure',
  /** The cause is the store's contract, terminal or message, not the card. */
  'merchant_problem',
  'legal_restriction',
  /** The holder has cancelled recurring charges. */
  'recurring_stopped',
  /** Requires the holder's authentication (3-DS). */
  'authentication_required',
  /** The acquirer's own antifraud rules. */
  'refused_by_risk_rules',
  /** The charge was not sent: the brand forbids another try with this card. */
  'retry_not_allowed',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** Advice on another try with the same card, with the shortest pause. */
const retrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('never') }),
  /** No list has the code, so no process retries, and a person decides. */
  z.strictObject({ kind: z.literal('unknown') }),
  z.strictObject({
    kind: z.literal('allowed'),
    /** 0: immediately. */
    afterMs: z.int().nonnegative(),
    /** The brand charges a fee for an earlier retry. */
    by: z.literal('brand').optional(),
  }),
])
export type RetryAdvice = Readonly<z.output<typeof retrySchema>>

export const declineSchema = z.strictObject({
  reason: z.enum(DECLINE_REASONS),
  retry: retrySchema,
  /** The issuer's or acquirer's own code, such as `51`. */
  code: z.string().optional(),
})
/** Meaning of a decline. */
export type Decline = Readonly<z.output<typeof declineSchema>>

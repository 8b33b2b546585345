import { z } from 'zod'

/**
 * Why a card was declined, in our words: a closed list, made from ABECS's table of the brands'
 * codes. For shops and operators; a shopper reads a vaguer text.
 */
export const DECLINE_REASONS = [
  /** The issuer says no more than no. */
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
  /** A new card that its holder has not unblocked yet. */
  'card_not_unblocked',
  'account_closed',
  /** The card does not allow this kind of purchase. */
  'not_permitted',
  'not_permitted_abroad',
  /** A debit card was used as a credit card, or the other way round. */
  'wrong_function',
  'invalid_amount',
  'invalid_installments',
  'attempts_exceeded',
  'issuer_unavailable',
  'issuer_not_found',
  /** Something between acquirer and issuer failed. */
  'system_failure',
  /** What is wrong concerns the store's contract, terminal or message, not the card. */
  'merchant_problem',
  'legal_restriction',
  /** The holder has ended recurring charges. */
  'recurring_stopped',
  /** Only with the holder's authentication (3-DS). */
  'authentication_required',
  /** The acquirer's own rules against fraud. */
  'refused_by_risk_rules',
  /** Nobody was asked: the brand forbids to try this card again. */
  'retry_not_allowed',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** Whether the same card may be tried again, and after how long at the earliest. */
const retrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('never') }),
  /** No list has the code: nothing tries again by itself, and a person decides. */
  z.strictObject({ kind: z.literal('unknown') }),
  z.strictObject({
    kind: z.literal('allowed'),
    /** 0: at once. */
    afterMs: z.int().nonnegative(),
    /** The brand charges for whoever does not wait. */
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
/** What a decline means. */
export type Decline = Readonly<z.output<typeof declineSchema>>

import { type AnswerBody, redacted } from '@cofre/provider-kit/outbound'
import type { Decline, DeclineReason, NotSentAnswer, RefusedAnswer, Secret } from '@cofre/contracts'
import { codeTableOf, meaningOf, declineOf } from '@cofre/provider-kit/card'
import { type PaymentAnswer, errorSchema } from './adyen-wire.js'

type Refusal = readonly [code: string, words: string, reason: DeclineReason, retry?: 'never']

/** `refusalReasonCode` and `refusalReason`; others are unknown. */
const REFUSALS: readonly Refusal[] = [
  ['2', 'Refused', 'generic'],
  ['3', 'Referral', 'generic'],
  ['4', 'Acquirer Error', 'system_failure'],
  ['5', 'Blocked Card', 'card_blocked', 'never'],
  ['6', 'Expired Card', 'expired_card', 'never'],
  ['7', 'Invalid Amount', 'invalid_amount', 'never'],
  ['8', 'Invalid Card Number', 'invalid_card_number', 'never'],
  ['9', 'Issuer Unavailable', 'issuer_unavailable'],
  ['10', 'Not supported', 'not_permitted'],
  ['11', '3D Not Authenticated', 'authentication_required', 'never'],
  ['12', 'Not enough balance', 'insufficient_funds'],
  ['14', 'Acquirer Fraud', 'suspected_fraud'],
  ['17', 'Invalid Pin', 'pin_invalid'],
  ['18', 'Pin tries exceeded', 'attempts_exceeded'],
  ['19', 'Pin validation not possible', 'pin_invalid'],
  ['20', 'FRAUD', 'refused_by_risk_rules'],
  ['21', 'Not Submitted', 'system_failure'],
  ['22', 'FRAUD-CANCELLED', 'refused_by_risk_rules'],
  ['23', 'Transaction Not Permitted', 'not_permitted'],
  ['24', 'CVC Declined', 'security_code_invalid'],
  ['25', 'Restricted Card', 'card_blocked'],
  ['26', 'Revocation Of Auth', 'recurring_stopped', 'never'],
  ['27', 'Declined Non Generic', 'generic'],
  ['28', 'Withdrawal amount exceeded', 'amount_limit_exceeded'],
  ['29', 'Withdrawal count exceeded', 'amount_limit_exceeded'],
  ['31', 'Issuer Suspected Fraud', 'suspected_fraud'],
  ['38', 'Authentication required', 'authentication_required', 'never'],
  ['42', '3DS Authentication Error', 'authentication_required', 'never'],
  [
    '46',
    'Transaction blocked by Adyen to prevent excessive retry fees',
    'attempts_exceeded',
    'never',
  ],
]

interface RefusalFields extends Partial<
  Pick<PaymentAnswer, 'refusalReason' | 'refusalReasonCode'>
> {
  readonly additionalData?:
    | Partial<
        Pick<
          NonNullable<PaymentAnswer['additionalData']>,
          'refusalReasonRaw' | 'merchantAdviceCode'
        >
      >
    | undefined
}

/** The issuer's own code through ABECS's table if Adyen returns it, otherwise Adyen's reason. */
export function adyenDecline(answer: RefusalFields, brand: string): Decline {
  const { refusalReasonRaw, merchantAdviceCode } = answer.additionalData ?? {}
  const raw = refusalReasonRaw?.split(':')[0]?.trim()
  const table = codeTableOf(brand, 'amex')
  const byIssuer = raw === undefined ? undefined : meaningOf(table, raw, refusalReasonRaw)
  const known = REFUSALS.find(
    ([code, words]) => code === answer.refusalReasonCode || words === answer.refusalReason,
  )
  const [, , reason = 'generic', retry] = known ?? []
  // A generic reason explains no unknown code of an issuer.
  const isExplained = known !== undefined && (raw === undefined || reason !== 'generic')
  return declineOf({
    ...(byIssuer ?? { reason, mayRetry: isExplained ? retry === undefined : undefined }),
    code: raw ?? answer.refusalReasonCode,
    merchantAdviceCode,
  })
}

/** `51 : Insufficient funds`, the form of issuers' own reasons. */
const RAW_REASON = /^[A-Za-z0-9]{1,3} *:/
const BRANDS: ReadonlyMap<string, string> = new Map([['mc', 'mastercard']])

/** The decline in a notice, parsed like an answer's refusal. */
export function adyenNoticeDecline(notice: {
  readonly reason: string | undefined
  readonly paymentMethod: string | undefined
  readonly refusalReasonRaw: string | undefined
  readonly merchantAdviceCode: string | undefined
}): Decline {
  const { reason, paymentMethod = '', merchantAdviceCode } = notice
  const isRaw = reason !== undefined && RAW_REASON.test(reason)
  const refusalReasonRaw = notice.refusalReasonRaw ?? (isRaw ? reason : undefined)
  return adyenDecline(
    { refusalReason: reason, additionalData: { refusalReasonRaw, merchantAdviceCode } },
    BRANDS.get(paymentMethod) ?? paymentMethod,
  )
}

/** The meaning of a 4xx; undefined if it is not in Adyen's format. */
export interface AdyenError {
  readonly code: string | undefined
  readonly answer: RefusedAnswer | NotSentAnswer
  /** Set if the card is at fault: it gets the same answer every time. */
  readonly decline: Decline | undefined
}

const CARD_ERRORS: ReadonlyMap<string, DeclineReason> = new Map([
  ['101', 'invalid_card_number'],
  ['102', 'invalid_card_number'],
  ['103', 'security_code_invalid'],
  ['129', 'expired_card'],
])
/** A request with the same key is, or was, in progress. */
const IN_PROGRESS = '704'
const CERTAIN_TYPES: readonly string[] = ['validation', 'configuration', 'security']

/** A holder who is to be authenticated, where no holder can be. */
export const UNAUTHENTICATED = {
  reason: 'authentication_required',
  mayRetry: false,
  code: undefined,
} as const

export function adyenError(
  body: AnswerBody,
  secrets: readonly Secret<string>[],
): AdyenError | undefined {
  const parsed = body.kind === 'json' ? errorSchema.safeParse(body.value).data : undefined
  if (parsed === undefined || !CERTAIN_TYPES.includes(parsed.errorType)) return undefined
  const { errorCode: code, errorType, message = '' } = parsed
  if (code === IN_PROGRESS) return undefined
  const reason = code === undefined ? undefined : CARD_ERRORS.get(code)
  const detail = redacted(`${errorType} ${code ?? ''}: ${message}`, secrets)
  return {
    code,
    answer:
      errorType === 'security'
        ? { kind: 'not-sent', cause: 'login', detail }
        : { kind: 'refused', detail },
    decline: reason && declineOf({ reason, mayRetry: false, code }),
  }
}

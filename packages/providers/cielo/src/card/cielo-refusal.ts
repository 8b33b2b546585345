import {
  type Decline,
  type DeclineReason,
  MINUTE_MS,
  type NotSentAnswer,
  type RefusedAnswer,
  type Secret,
  type UnknownAnswer,
} from '@cofre/contracts'
import { type AnswerBody, redacted } from '@cofre/provider-kit/outbound'
import {
  type CaptureRefusalReason,
  type ReturnRefusalReason,
  codeTableOf,
  meaningOf,
  unknown,
  declineOf,
} from '@cofre/provider-kit/card'
import type { z } from 'zod'
import { type Sale, errorsSchema, inLowerCase } from './cielo-wire.js'

/** Cielo's own codes, beside those of the brands; most mean that the issuer was not reached. */
const OWN_CODES: ReadonlyMap<string, DeclineReason> = new Map<string, DeclineReason>([
  ['98', 'system_failure'],
  ['99', 'system_failure'],
  ['999', 'system_failure'],
  ['AA', 'system_failure'],
  ['AE', 'system_failure'],
  ['BP171', 'refused_by_risk_rules'],
])

type ReturnFields = Pick<Sale['payment'], 'returncode' | 'returnmessage' | 'merchantadvicecode'>

/** The decline of a payment with Status 3 or 13, or of a card that is not valid. */
export function cieloDecline(
  { returncode: code, returnmessage, merchantadvicecode: merchantAdviceCode }: ReturnFields,
  brand: string,
): Decline {
  const table = codeTableOf(brand, 'amex_at_cielo')
  const byBrand = meaningOf(table, code ?? '', returnmessage)
  const reason = OWN_CODES.get(code ?? '')
  const mayRetry = reason === undefined ? undefined : true
  return declineOf({
    ...(byBrand ?? { reason: reason ?? 'generic', mayRetry }),
    code,
    merchantAdviceCode,
  })
}

/** The meaning of a list of errors: nothing was done. */
export interface CieloError extends RefusedAnswer {
  readonly code: string
}

export interface ErrorReading {
  readonly secrets: readonly Secret<string>[]
  /** Default: Cielo's list. Another form on a sale's answer may be a proxy's. */
  readonly errors?: z.ZodType<z.output<typeof errorsSchema>> | undefined
}

/** Undefined if the answer is not Cielo's. */
export function cieloError(
  body: AnswerBody,
  { secrets, errors = errorsSchema }: ErrorReading,
): CieloError | undefined {
  const value = body.kind === 'json' ? inLowerCase(body.value) : undefined
  const [first] = errors.safeParse(value).data ?? []
  if (first === undefined) return undefined
  const { code, message = '' } = first
  const detail = redacted(`error ${code}: ${message}`, secrets)
  return { kind: 'refused', code: String(code), detail }
}

/** Codes for a payment that does not exist. */
export const ABSENT_CODES: readonly string[] = ['307', '318']
/** A payment with this MerchantOrderId exists: perhaps ours. */
export const DUPLICATE_CODE = '302'

const CARD_ERRORS: ReadonlyMap<string, DeclineReason> = new Map<string, DeclineReason>([
  ['123', 'invalid_installments'],
  ['126', 'expired_card'],
  ['128', 'invalid_card_number'],
  ['146', 'security_code_invalid'],
  ['213', 'invalid_card_number'],
])

/** Set if the shopper's input is wrong. */
export function declineOfError({ code }: CieloError): Decline | undefined {
  const reason = CARD_ERRORS.get(code)
  return reason && declineOf({ reason, mayRetry: false, code })
}

const CREDENTIAL_CODES: readonly string[] = ['114', '115', '116', '120', '131', '132', '301', '306']

/** An error that is not about the card. */
export function answerOfError({ code, detail }: CieloError): RefusedAnswer | NotSentAnswer {
  return CREDENTIAL_CODES.includes(code)
    ? { kind: 'not-sent', cause: 'login', detail }
    : { kind: 'refused', detail }
}

/** Codes of an error, or of a cancel's ReturnCode; others decide nothing. */
const RETURN_REFUSALS: ReadonlyMap<string, ReturnRefusalReason> = new Map<
  string,
  ReturnRefusalReason
>([
  ['3', 'payment_not_found'],
  ['17', 'other'],
  ['40', 'too_late'],
  ['41', 'other'],
  ['42', 'other'],
  ['53', 'not_enabled'],
  ['54', 'other'],
  ['58', 'other'],
  ['60', 'other'],
  ['101', 'too_late'],
  ['51', 'amount_exceeds_payment'],
  ['102', 'amount_exceeds_payment'],
  ['55', 'amount_exceeds_payment'],
  ['43', 'balance_too_low'],
  ['56', 'balance_too_low'],
  ['72', 'balance_too_low'],
  ['76', 'balance_too_low'],
  ['21', 'payment_not_found'],
  ['52', 'payment_not_found'],
  ['77', 'payment_not_found'],
])
const RETURN_ERRORS: ReadonlyMap<string, ReturnRefusalReason> = new Map<
  string,
  ReturnRefusalReason
>([
  ['307', 'payment_not_found'],
  ['309', 'other'],
  ['310', 'not_enabled'],
  ['311', 'not_enabled'],
  ['312', 'other'],
])

/** The code of a partial void: the sale is not settled yet. */
export const NOT_SETTLED_CODE = '100'
const READ_LATER_CODE = 'BP900'

/** Cielo asks callers to wait five minutes before they look up such a void. */
export function unclearReturn(code: string, detail: string): UnknownAnswer {
  return unknown(detail, code === READ_LATER_CODE ? 5 * MINUTE_MS : undefined)
}

export function returnRefusalOf(code: string): ReturnRefusalReason | undefined {
  return RETURN_REFUSALS.get(withoutZeros(code))
}

/** Cielo writes 3 as 003, too. */
export function withoutZeros(code: string): string {
  return code.replace(/^0+(?=.)/, '')
}

export function returnRefusalOfError({ code }: CieloError): ReturnRefusalReason | undefined {
  return RETURN_ERRORS.get(code)
}

/** Codes of an error, or of a capture's ReturnCode; others decide nothing. */
const CAPTURE_REFUSALS: ReadonlyMap<string, CaptureRefusalReason> = new Map<
  string,
  CaptureRefusalReason
>([
  ['3', 'payment_not_found'],
  ['841', 'released'],
  ['842', 'amount_exceeds_payment'],
  ['843', 'released'],
])
const CAPTURE_ERRORS: ReadonlyMap<string, CaptureRefusalReason> = new Map<
  string,
  CaptureRefusalReason
>([
  ['308', 'released'],
  ['310', 'not_enabled'],
])

/** `released` may also mean that it was captured before: only the sale itself shows that. */
export function captureRefusalOf(code: string): CaptureRefusalReason | undefined {
  return CAPTURE_REFUSALS.get(withoutZeros(code))
}

export function captureRefusalOfError({ code }: CieloError): CaptureRefusalReason | undefined {
  return CAPTURE_ERRORS.get(code)
}

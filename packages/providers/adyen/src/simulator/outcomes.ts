// The outcome of a payment, by the name on its card: the names that Adyen documents for its test
// environment. `NAME : 51 : Insufficient funds` also sets the issuer's own reason.

export interface Refusal {
  readonly code: string
  readonly reason: string
  /** The issuer's reason, as `51 : Insufficient funds`. */
  readonly raw: string
}

export type CardOutcome =
  | {
      readonly resultCode: 'Authorised'
      /** The step that fails later, though it was accepted. */
      readonly fails?: 'capture' | 'refund' | undefined
    }
  /** Open until a person ends it. */
  | { readonly resultCode: 'Received' }
  | { readonly resultCode: 'Refused' | 'Error'; readonly refusal: Refusal }

const REFUSALS: Readonly<Record<string, readonly [code: number, reason: string, raw: string]>> = {
  UNKNOWN: [0, 'Unknown', ''],
  DECLINED: [2, 'Refused', '05 : Do not honor'],
  REFERRAL: [3, 'Referral', '01 : Refer to card issuer'],
  ERROR: [4, 'Acquirer Error', '96 : System malfunction'],
  BLOCK_CARD: [5, 'Blocked Card', '78 : Blocked, first used'],
  CARD_EXPIRED: [6, 'Expired Card', '54 : Expired card'],
  INVALID_AMOUNT: [7, 'Invalid Amount', '13 : Invalid amount'],
  INVALID_CARD_NUMBER: [8, 'Invalid Card Number', '14 : Invalid card number'],
  ISSUER_UNAVAILABLE: [9, 'Issuer Unavailable', '91 : Issuer unavailable'],
  NOT_SUPPORTED: [10, 'Not supported', '57 : Not permitted to cardholder'],
  NOT_3D_AUTHENTICATED: [11, '3D Not Authenticated', ''],
  NOT_ENOUGH_BALANCE: [12, 'Not enough balance', '51 : Insufficient funds'],
  ACQUIRER_FRAUD: [14, 'Acquirer Fraud', '59 : Suspected fraud'],
  CANCELLED: [15, 'Cancelled', ''],
  SHOPPER_CANCELLED: [16, 'Shopper Cancelled', ''],
  INVALID_PIN: [17, 'Invalid Pin', '55 : Incorrect PIN'],
  PIN_TRIES_EXCEEDED: [18, 'Pin tries exceeded', '75 : PIN tries exceeded'],
  FRAUD: [20, 'FRAUD', ''],
  NOT_SUBMITTED: [21, 'Not Submitted', ''],
  FRAUD_CANCELLED: [22, 'FRAUD-CANCELLED', ''],
  TRANSACTION_NOT_PERMITTED: [23, 'Transaction Not Permitted', '57 : Not permitted to cardholder'],
  CVC_DECLINED: [24, 'CVC Declined', 'N7 : Decline for CVV2 failure'],
  RESTRICTED_CARD: [25, 'Restricted Card', '62 : Restricted card'],
  REVOCATION_OF_AUTH: [26, 'Revocation Of Auth', 'R1 : Revocation of authorization order'],
  DECLINED_NON_GENERIC: [27, 'Declined Non Generic', '04 : Pick up card'],
  WITHDRAWAL_AMOUNT_EXCEEDED: [28, 'Withdrawal amount exceeded', '61 : Exceeds amount limit'],
  WITHDRAWAL_COUNT_EXCEEDED: [29, 'Withdrawal count exceeded', '65 : Exceeds count limit'],
  ISSUER_SUSPECTED_FRAUD: [31, 'Issuer Suspected Fraud', '59 : Suspected fraud'],
  AVS_DECLINED: [32, 'AVS Declined', ''],
  AUTHENTICATION_REQUIRED: [38, 'Authentication required', '1A : Authentication required'],
}
/** Adyen's test card whose issuer requires authentication. */
export const CHALLENGED_CARD = '4212345678910006'

/** The outcome for a holder who fails authentication. */
export const NOT_AUTHENTICATED = refused('NOT_3D_AUTHENTICATED')
/** The simulator's own rule: Adyen does not document this outcome. */
export function unlinked(fault: string): CardOutcome {
  const [code, reason] = REFUSALS.TRANSACTION_NOT_PERMITTED ?? [2, 'Refused']
  return { resultCode: 'Refused', refusal: { code: String(code), reason, raw: `12 : ${fault}` } }
}

/** The shop cancelled before the authentication. */
export const ABANDONED = refused('CANCELLED')

const ERRORS: readonly string[] = ['UNKNOWN', 'ERROR']

/** Every name with an outcome, and Adyen's answer. */
export const OUTCOME_NAMES: readonly { readonly name: string; readonly answer: string }[] = [
  ...Object.entries(REFUSALS).map(([name, [code, reason, raw]]) => ({
    name,
    answer: [`${reason} (${code})`, raw].filter(Boolean).join(' · '),
  })),
  { name: 'PENDING', answer: 'Received' },
  { name: 'CAPTURE_FAILED', answer: 'Authorised · CAPTURE_FAILED' },
  { name: 'REFUND_FAILED', answer: 'Authorised · REFUND_FAILED' },
]

/**
 * Blanks stand for underscores. More names may follow a one-word name, so that the names also fit a
 * shop's form that requires a surname.
 */
export function outcomeOf(holder: string): CardOutcome {
  const [head = '', ...rest] = holder.split(':')
  const raw = rest.length === 0 ? undefined : rest.join(':').trim()
  const written = head.trim().toUpperCase().replaceAll(' ', '_')
  const name = [written, written.split('_')[0] ?? ''].find(isName) ?? ''
  if (name === 'CAPTURE_FAILED') return { resultCode: 'Authorised', fails: 'capture' }
  if (name === 'REFUND_FAILED') return { resultCode: 'Authorised', fails: 'refund' }
  if (name === 'PENDING') return { resultCode: 'Received' }
  const known = Object.hasOwn(REFUSALS, name) ? REFUSALS[name] : undefined
  if (known === undefined) return { resultCode: 'Authorised' }
  const [code, reason, usualRaw] = known
  const resultCode = ERRORS.includes(name) ? 'Error' : 'Refused'
  return { resultCode, refusal: { code: String(code), reason, raw: raw ?? usualRaw } }
}

function refused(name: string): CardOutcome {
  const [code, reason, raw] = REFUSALS[name] ?? [2, 'Refused', '']
  return { resultCode: 'Refused', refusal: { code: String(code), reason, raw } }
}

function isName(text: string): boolean {
  return OUTCOME_NAMES.some(({ name }) => name === text)
}

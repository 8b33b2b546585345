// Payments that are authorized first, and captured or released later.
import {
  DAY_MS,
  type MinorUnits,
  type PaymentStatus,
  type TransactionStatus,
} from '@cofre/contracts'

/** The authorization of a card that is captured later; stored with its transaction. */
export interface Capture {
  readonly state: 'authorized' | 'captured' | 'released'
  readonly authorizedAtMs: number
  /** When the store's rule acts on it, unless a capture or a void was ordered before. */
  readonly beforeMs: number
  /** When the acquirer releases it. */
  readonly endsAtMs: number
  /** The captured part of the amount, without interest; undefined until it is captured. */
  readonly amountMinor?: MinorUnits
  /** The captured part of the charge, with interest; undefined until it is captured. */
  readonly chargedMinor?: MinorUnits
  /** `expired`: its time was over. `provider`: people at the acquirer did it. */
  readonly releasedBy?: Release
}

export type Release = 'void' | 'expired' | 'provider'

/** The result of an authorization, or of an order to end it. `rule`: a void by the store's rule. */
export type CaptureOutcome = 'captured' | Release | 'rule' | 'refused'

/** The facts that show how far a payment is captured. */
interface Capturable {
  readonly status: TransactionStatus
  readonly capture?: Capture | undefined
}

/** The time of an authorization whose acquirer has reported no end: the sandbox simulated it. */
const USUAL_DAYS = 7
const RULE_DAYS_BEFORE = 1
const SHORT_DAYS = 3

/** @param endsAtMs - When the acquirer releases it, if an acquirer has authorized it. */
export function authorizedCapture(authorizedAtMs: number, endsAtMs: number | undefined): Capture {
  const endMs = endsAtMs ?? authorizedAtMs + USUAL_DAYS * DAY_MS
  const timeMs = Math.max(0, endMs - authorizedAtMs)
  const ruleMs = timeMs < SHORT_DAYS * DAY_MS ? timeMs / 2 : timeMs - RULE_DAYS_BEFORE * DAY_MS
  const beforeMs = authorizedAtMs + Math.floor(ruleMs)
  return { state: 'authorized', authorizedAtMs, beforeMs, endsAtMs: endMs }
}

const REMINDER_DAYS_BEFORE = 2

/** When the store is reminded: two days before the rule acts, or at half of a shorter time. */
export function reminderAtMs({ authorizedAtMs, beforeMs }: Capture): number {
  const halfMs = Math.ceil((beforeMs - authorizedAtMs) / 2)
  return beforeMs - Math.min(REMINDER_DAYS_BEFORE * DAY_MS, halfMs)
}

/** True if a payment is neither captured nor released. */
export function isAuthorized({ capture, status }: Capturable): boolean {
  return capture?.state === 'authorized' && (status === 'PENDING' || status === 'UNDER-REVIEW')
}

/** Until when an authorized payment can be captured; undefined for others. */
export function captureBeforeMsOf(payment: Capturable): number | undefined {
  return isAuthorized(payment) ? payment.capture?.beforeMs : undefined
}

/** A payment's status where AUTHORIZED is shown: not in the specification's search. */
export function paymentStatusOf(payment: Capturable): PaymentStatus {
  return isAuthorized(payment) ? 'AUTHORIZED' : payment.status
}

/** True if the acquirer has released the authorization because its time was over. */
export function isAuthorizationExpired({ capture }: Pick<Capturable, 'capture'>): boolean {
  return capture?.releasedBy === 'expired'
}

interface Sums {
  readonly amountMinor: MinorUnits
  readonly chargedMinor: MinorUnits
}

/** The sums that a payment has charged, or charges if it is captured whole: the refundable ones. */
export function capturedSums(payment: Sums & Pick<Capturable, 'capture'>): Sums {
  const { amountMinor = payment.amountMinor, chargedMinor = payment.chargedMinor } =
    payment.capture ?? {}
  return { amountMinor, chargedMinor }
}

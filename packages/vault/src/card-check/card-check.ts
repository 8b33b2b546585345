import {
  CARD_CHECKS_PER_HOUR,
  type CardSummary,
  DAY_MS,
  type Decline,
  type Environment,
  HOUR_MS,
  MINUTE_MS,
} from '@cofre/contracts'
import type { AuditEvent } from '../audit/audit-entry.js'
import type { PayerDigest } from '../saved-card/saved-card.js'

/** How long a check is kept: its token gets the same answer until then. */
export const CHECK_RETENTION_MS: number = 7 * DAY_MS
/** A card that was not charged after this time may have been checked for another purpose. */
export const CHARGED_WITHIN_MS: number = DAY_MS
/** A call to an acquirer has ended after this time: a check without an outcome is lost. */
export const CHECK_RUNS_MS: number = MINUTE_MS
export const CHECKS_COUNT_FOR_MS: number = HOUR_MS
export const CHECKS_MAX: number = CARD_CHECKS_PER_HOUR

/** The subjects by which checks are counted: keyed digests, within a store. */
export interface CheckSubjects {
  /** By e-mail: also the owner of the saved card. */
  readonly payer: PayerDigest
  readonly document: string
  readonly address: string
}

export interface CheckKey {
  readonly environment: Environment
  readonly tokenDigest: string
}

export type CheckOutcome = 'asked' | 'approved' | 'declined' | 'unknown'

/** A check as it is stored. */
export interface StoredCheck extends CheckKey, CheckSubjects {
  /** Names it at its acquirer, and among declines: digits, as a transaction's code. */
  readonly code: number
  readonly merchantId: string
  readonly outcome: CheckOutcome
  readonly card: CardSummary
  readonly decline: Decline | undefined
  readonly savedCardCode: string | undefined
  readonly createdAtMs: number
}

export function checkEvent(
  { environment, merchantId, tokenDigest }: Pick<StoredCheck, keyof CheckKey | 'merchantId'>,
  outcome: string,
): AuditEvent {
  return {
    actor: `store:${merchantId}`,
    action: 'card.checked',
    environment,
    merchantId,
    record: tokenDigest,
    outcome,
  }
}

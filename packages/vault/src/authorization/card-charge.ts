import { randomInt } from 'node:crypto'
import {
  type AcquirerCharge,
  DAY_MS,
  type Decline,
  HOUR_MS,
  type MinorUnits,
  SECOND_MS,
  type PaymentKey,
  minorUnits,
} from '@cofre/contracts'
import { hasCome } from '@cofre/work'
import type { Acquirer, AcquirerPayment, EarlierAttempts } from '@cofre/provider-kit/card'
import type { VaultTables } from '../database/vault-tables.js'

type ChargeRow = VaultTables['card_charges']

/** An account that may be asked for a charge. */
export interface ChargeAccount {
  readonly id: string
  /** `adyen` */
  readonly provider: string
  /**
   * Days for which it can capture the charge's authorization. Undefined if it cannot, or if the
   * charge is captured at once.
   */
  readonly captureDays?: number | undefined
}

/** An account that was found for a charge. */
export interface RoutedAccount extends ChargeAccount {
  /** The account's acquirer with the credentials that were found. They may change later. */
  readonly acquirer: () => Promise<Acquirer>
}

/** The accounts that may be asked for a charge, in order. */
export interface ChargeRoute {
  readonly accounts: readonly RoutedAccount[]
  /** True if a decline is also followed by the next account. */
  readonly routesDeclines: boolean
}

/** An authorization at the account whose acquirer is asked, or has answered. */
export interface CardCharge {
  readonly key: PaymentKey
  readonly accountId: string
  readonly provider: string
  /** See `card_charges`. */
  readonly state: ChargeRow['state']
  readonly firstAttemptAtMs: number
  readonly absentSinceMs: number | undefined
  /** Until then, one process alone works on it. */
  readonly leaseUntilMs: number
  readonly nextAskAtMs: number
  /** Undefined until its acquirer has named it. */
  readonly payment: AcquirerPayment | undefined
  /** The ECI of the 3-DS result that was sent. */
  readonly sentEci: string | undefined
  /** The saved card that it charges. */
  readonly savedCardCode?: string | undefined
  /** True if it is sent without an id that the card's brand wants. */
  readonly isUnlinked?: boolean | undefined
  readonly endedAtMs: number | undefined
  /** Undefined if it is captured at once. */
  readonly captureDays?: number | undefined
  /** When its acquirer releases the authorization; undefined until it is approved. */
  readonly captureEndsAtMs?: number | undefined
  /** 0 if it was released; undefined until it is captured or released. */
  readonly capturedMinor?: MinorUnits | undefined
  /** When it was captured or released. */
  readonly captureEndedAtMs?: number | undefined
}

export type ChargeKey = Pick<PaymentKey, 'environment' | 'transactionCode'>

/**
 * How long one process works on a charge alone: longer than a call and the commit of its answer.
 */
export const CHARGE_LEASE_MS: number = 30 * SECOND_MS

/** The longest pause for an acquirer that asks for one. */
export const LONGEST_CHARGE_PAUSE_MS: number = HOUR_MS

/** How long a card is kept while the outcome is unknown. */
export const CARD_KEPT_MS: number = 24 * HOUR_MS

/**
 * How long a charge may be returned or disputed: Cielo returns installments for 690 days. After
 * that the vault ignores the charge and forgets its reports.
 */
export const FOLLOWED_FOR_MS: number = 720 * DAY_MS

/** True if a charge can't change any more. */
export function isClosedForChanges(
  { endedAtMs }: Pick<CardCharge, 'endedAtMs'>,
  nowMs: number,
): boolean {
  return endedAtMs !== undefined && endedAtMs < nowMs - FOLLOWED_FOR_MS
}

/** True if a charge is approved, and neither captured nor released. */
export function isAuthorizedOnly({
  state,
  captureDays,
  capturedMinor,
}: Pick<CardCharge, 'state' | 'captureDays' | 'capturedMinor'>): boolean {
  return state === 'approved' && captureDays !== undefined && capturedMinor === undefined
}

/** When the authorization of a charge ends that is approved now; undefined if it has none. */
export function captureEndOf(
  { captureDays }: Pick<CardCharge, 'captureDays'>,
  nowMs: number,
): number | undefined {
  return captureDays === undefined ? undefined : nowMs + captureDays * DAY_MS
}

/** True if a process holds the lease. */
export function isLeased(leaseUntilMs: number, nowMs: number): boolean {
  return !hasCome(leaseUntilMs, nowMs, CHARGE_LEASE_MS)
}

/**
 * True if a call that begins now ends before another process may call. False for a process that
 * slept too long after its commit.
 */
export function isTimeForCall(leaseUntilMs: number, nowMs: number, callMs: number): boolean {
  return nowMs + callMs <= leaseUntilMs
}

/** The data that a charge is sent with, whichever account is asked. */
type SentWith = Pick<CardCharge, 'sentEci' | 'savedCardCode' | 'isUnlinked'>

/** A charge that is about to be requested at this account for the first time. */
export function newCharge(
  key: PaymentKey,
  { id: accountId, provider, captureDays }: ChargeAccount,
  { nowMs, ...sent }: SentWith & { readonly nowMs: number },
): CardCharge {
  return {
    ...sent,
    key,
    accountId,
    provider,
    state: 'asked',
    firstAttemptAtMs: nowMs,
    absentSinceMs: undefined,
    leaseUntilMs: nowMs + CHARGE_LEASE_MS,
    nextAskAtMs: nowMs,
    payment: undefined,
    endedAtMs: undefined,
    captureDays,
  }
}

/** The earlier attempts of a charge, for its acquirer: the next attempt is not the first. */
export function earlierAttempts({
  firstAttemptAtMs: firstAtMs,
  absentSinceMs,
}: Pick<CardCharge, 'firstAttemptAtMs' | 'absentSinceMs'>): EarlierAttempts {
  return { firstAtMs, absentSinceMs }
}

/** ECIs that make the issuer liable for fraud, whatever the brand. */
const SHIFTED: readonly string[] = ['01', '02', '05', '06']

/** The facts about a charge that may leave the vault. */
export function acquirerChargeOf(charge: CardCharge): AcquirerCharge {
  const { accountId, provider, payment, sentEci, state, captureEndsAtMs } = charge
  const isShifted = SHIFTED.includes((payment?.eci ?? sentEci ?? '').padStart(2, '0'))
  // Also if the acquirer had the holder authenticated.
  const isAuthenticated = sentEci !== undefined || isShifted
  return {
    accountId,
    provider,
    paymentId: payment?.paymentId,
    nsu: payment?.nsu,
    authorizationCode: payment?.authorizationCode,
    liabilityShift: isAuthenticated && state === 'approved' ? isShifted : undefined,
    captureEndsAtMs,
  }
}

/** The facts about the holder's authentication that may leave the vault. */
export function authenticationOf({
  payment,
  sentEci,
  state,
}: CardCharge): Pick<AcquirerCharge, 'eci' | 'hasNetworkIds'> {
  if (state !== 'approved') return {}
  const { eci = sentEci, networkTransactionId, transactionLinkId } = payment ?? {}
  return { eci, hasNetworkIds: (networkTransactionId ?? transactionLinkId) !== undefined }
}

export function chargeOfRow(row: Omit<ChargeRow, 'release_check_at_ms'>): CardCharge {
  const { environment, transaction_code, installation, payment_id: paymentId } = row
  return {
    key: { installation, environment, transactionCode: String(transaction_code) },
    accountId: row.account_id,
    provider: row.provider,
    state: row.state,
    firstAttemptAtMs: row.first_attempt_at_ms,
    absentSinceMs: row.absent_since_ms ?? undefined,
    leaseUntilMs: row.lease_until_ms,
    nextAskAtMs: row.next_ask_at_ms,
    payment:
      paymentId === null
        ? undefined
        : {
            paymentId,
            nsu: row.nsu ?? undefined,
            authorizationCode: row.authorization_code ?? undefined,
            eci: row.eci ?? undefined,
            networkTransactionId: row.network_transaction_id ?? undefined,
            transactionLinkId: row.transaction_link_id ?? undefined,
          },
    sentEci: row.sent_eci ?? undefined,
    savedCardCode: row.charged_card_code ?? undefined,
    isUnlinked: row.is_unlinked === 1,
    endedAtMs: row.ended_at_ms ?? undefined,
    captureDays: row.capture_days ?? undefined,
    captureEndsAtMs: row.capture_ends_at_ms ?? undefined,
    capturedMinor: row.captured_minor === null ? undefined : minorUnits(row.captured_minor),
    captureEndedAtMs: row.capture_ended_at_ms ?? undefined,
  }
}

export function rowOfCharge(charge: CardCharge): ChargeRow {
  const { key, payment } = charge
  return {
    environment: key.environment,
    transaction_code: Number(key.transactionCode),
    installation: key.installation,
    account_id: charge.accountId,
    provider: charge.provider,
    state: charge.state,
    first_attempt_at_ms: charge.firstAttemptAtMs,
    absent_since_ms: charge.absentSinceMs ?? null,
    lease_until_ms: charge.leaseUntilMs,
    next_ask_at_ms: charge.nextAskAtMs,
    ...paymentColumns(payment),
    sent_eci: charge.sentEci ?? null,
    charged_card_code: charge.savedCardCode ?? null,
    is_unlinked: charge.isUnlinked === true ? 1 : 0,
    ended_at_ms: charge.endedAtMs ?? null,
    capture_days: charge.captureDays ?? null,
    capture_ends_at_ms: charge.captureEndsAtMs ?? null,
    captured_minor: charge.capturedMinor ?? null,
    capture_ended_at_ms: charge.captureEndedAtMs ?? null,
    release_check_at_ms: isAuthorizedOnly(charge) ? (charge.captureEndsAtMs ?? null) : null,
  }
}

/** The columns of an acquirer's payment. */
export function paymentColumns(payment: AcquirerPayment | undefined) {
  return {
    payment_id: payment?.paymentId ?? null,
    nsu: payment?.nsu ?? null,
    authorization_code: payment?.authorizationCode ?? null,
    eci: payment?.eci ?? null,
    network_transaction_id: payment?.networkTransactionId ?? null,
    transaction_link_id: payment?.transactionLinkId ?? null,
  } satisfies Partial<ChargeRow>
}

const INSTALLATION_LENGTH = 4
const INSTALLATION_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Draws a name for this installation's charges at acquirers. Each charge keeps its first one. */
export function drawInstallation(): string {
  return Array.from(
    { length: INSTALLATION_LENGTH },
    () => INSTALLATION_ALPHABET[randomInt(INSTALLATION_ALPHABET.length)],
  ).join('')
}

/** How long a payer has for the authentication by the card's bank. */
export const AUTHENTICATION_MS: number = HOUR_MS

/** The decline of a charge whose payer did not return from the card's bank. */
export const NOT_AUTHENTICATED: Decline = {
  reason: 'authentication_required',
  retry: { kind: 'allowed', afterMs: 0 },
}

/** The decline of a charge that was not made after all. */
export const NOT_CHARGED: Decline = {
  reason: 'system_failure',
  retry: { kind: 'allowed', afterMs: 0 },
}

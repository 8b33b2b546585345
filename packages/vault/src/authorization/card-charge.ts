import { type AcquirerCharge, HOUR_MS, type MinorUnits, SECOND_MS } from '@cofre/contracts'
import type { AcquirerPayment, EarlierAttempts, PaymentKey } from '../acquirer/acquirer.js'
import type { VaultTables } from '../database/vault-tables.js'

type ChargeRow = VaultTables['card_charges']

/** An account that may be asked for a charge. */
export interface ChargeAccount {
  readonly id: string
  /** `adyen` */
  readonly provider: string
  /** Whether the store wants it asked for what the account before it has declined. */
  readonly takesDeclined: boolean
}

/** An authorization at the account whose acquirer is asked, or has answered. */
export interface CardCharge {
  readonly key: PaymentKey
  readonly accountId: string
  readonly provider: string
  /** See the table. */
  readonly state: ChargeRow['state']
  readonly firstAttemptAtMs: number
  readonly absentSinceMs: number | undefined
  /** Until then one process talks for it alone. */
  readonly leaseUntilMs: number
  readonly nextAskAtMs: number
  /** Undefined while its acquirer has not named it. */
  readonly payment: AcquirerPayment | undefined
  /** Of the 3-DS result that was sent. */
  readonly sentEci: string | undefined
  readonly endedAtMs: number | undefined
}

export type ChargeKey = Pick<PaymentKey, 'environment' | 'transactionCode'>

/** A charge with what its order says of it. */
export interface OrderedCharge extends CardCharge {
  readonly merchantId: string
  readonly amountMinor: MinorUnits
  readonly brand: string
}

/**
 * How long one process talks for a charge alone: longer than a call and the commit of its answer.
 */
export const CHARGE_LEASE_MS: number = 30 * SECOND_MS

/** How long a card is kept whose outcome is unknown. */
export const CARD_KEPT_MS: number = 24 * HOUR_MS

/** A charge that is about to be asked for, for the first time, at this account. */
export function newCharge(
  key: PaymentKey,
  { id: accountId, provider }: ChargeAccount,
  { nowMs, sentEci }: { readonly nowMs: number; readonly sentEci: string | undefined },
): CardCharge {
  return {
    key,
    accountId,
    provider,
    state: 'asked',
    firstAttemptAtMs: nowMs,
    absentSinceMs: undefined,
    leaseUntilMs: nowMs + CHARGE_LEASE_MS,
    nextAskAtMs: nowMs,
    payment: undefined,
    sentEci,
    endedAtMs: undefined,
  }
}

/** What its acquirer is told of earlier attempts; none is first again. */
export function earlierAttempts(charge: CardCharge): EarlierAttempts {
  const { firstAttemptAtMs: firstAtMs, absentSinceMs } = charge
  return { firstAtMs, absentSinceMs }
}

/** ECIs with which the issuer answers for fraud, whatever the brand. */
const SHIFTED: readonly string[] = ['01', '02', '05', '06']

/** What may leave the vault about a charge. */
export function acquirerChargeOf(charge: CardCharge): AcquirerCharge {
  const { accountId, provider, payment, sentEci, state } = charge
  const eci = (payment?.eci ?? sentEci ?? '').padStart(2, '0')
  return {
    accountId,
    provider,
    paymentId: payment?.paymentId,
    nsu: payment?.nsu,
    authorizationCode: payment?.authorizationCode,
    liabilityShift:
      sentEci === undefined || state !== 'approved' ? undefined : SHIFTED.includes(eci),
  }
}

export function chargeOfRow(row: ChargeRow): CardCharge {
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
          },
    sentEci: row.sent_eci ?? undefined,
    endedAtMs: row.ended_at_ms ?? undefined,
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
    ended_at_ms: charge.endedAtMs ?? null,
  }
}

/** What an acquirer tells of a payment, as a row keeps it. */
export function paymentColumns(payment: AcquirerPayment | undefined) {
  return {
    payment_id: payment?.paymentId ?? null,
    nsu: payment?.nsu ?? null,
    authorization_code: payment?.authorizationCode ?? null,
    eci: payment?.eci ?? null,
    network_transaction_id: payment?.networkTransactionId ?? null,
  } satisfies Partial<ChargeRow>
}

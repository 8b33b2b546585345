import { type CardSummary, type Environment, type MinorUnits, minorUnits } from '@cofre/contracts'
import { dueFirst, isElsewhere } from '@cofre/work'
import { sql } from 'kysely'
import type { AcquirerPayment } from '@cofre/provider-kit/card'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { byEnvironment } from '../model/by-environment.js'
import {
  CHARGE_LEASE_MS,
  type CardCharge,
  type ChargeKey,
  LONGEST_CHARGE_PAUSE_MS,
  chargeOfRow,
  isLeased,
  paymentColumns,
  rowOfCharge,
} from './card-charge.js'
import { type DueList } from './account-lanes-sql.js'

type Row = VaultTables['card_charges']

const keyOf = ({ environment, transactionCode }: ChargeKey) => ({
  environment,
  transaction_code: Number(transactionCode),
})

/** A charge, with facts of its order. */
export interface OrderedCharge extends CardCharge {
  readonly merchantId: string
  readonly amountMinor: MinorUnits
  readonly card: CardSummary
  /** The saved card that it charged, or that was saved with it. */
  readonly cardCode?: string | undefined
}

/** An account's charge; undefined if no acquirer, or only the sandbox's, was asked. */
export async function findCharge(
  db: VaultConnection,
  key: ChargeKey,
): Promise<OrderedCharge | undefined> {
  const { environment, transaction_code } = keyOf(key)
  const row = await orderedRows(db)
    .where('card_charges.environment', '=', environment)
    .where('card_charges.transaction_code', '=', transaction_code)
    .executeTakeFirst()
  return row && orderedCharge(row)
}

/** Charges of unknown outcome whose account was first asked before the given time, oldest first. */
export async function openCharges(
  db: VaultConnection,
  firstAskedBeforeMs: number,
): Promise<readonly OrderedCharge[]> {
  const rows = await openRows(db)
    .where('card_charges.first_attempt_at_ms', '<', firstAskedBeforeMs)
    .orderBy('card_charges.first_attempt_at_ms')
    .execute()
  return rows.map(orderedCharge)
}

/** The number of {@link openCharges}, by environment. */
export async function countOpenCharges(
  db: VaultConnection,
  firstAskedBeforeMs: number,
): Promise<Readonly<Record<Environment, number>>> {
  const rows = await db
    .selectFrom('card_charges')
    .select((row) => ['environment', row.fn.countAll<number | bigint | string>().as('count')])
    .where('ended_at_ms', 'is', null)
    .where('first_attempt_at_ms', '<', firstAskedBeforeMs)
    .groupBy('environment')
    .execute()
  return byEnvironment(rows)
}

/** A charge, and the account that was asked for it. */
export interface DueEnding {
  readonly key: ChargeKey
  readonly accountId: string
}

/**
 * Charges whose card is erased and that no gateway requests, the first due first. Includes those of
 * unreadable orders.
 */
export async function dueEndings(
  db: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly DueEnding[]> {
  const ending = db
    .selectFrom('card_charges')
    .select(['environment', 'transaction_code', 'account_id'])
    .where('ended_at_ms', 'is', null)
    .where('state', '=', sql.lit('ending'))
    .where(isElsewhere(sql.ref('account_id'), busy))
  const due = dueFirst(ending, {
    at: 'next_ask_at_ms',
    longestMs: LONGEST_CHARGE_PAUSE_MS,
    nowMs,
    limit,
    lease: { until: 'lease_until_ms', longestMs: CHARGE_LEASE_MS },
  })
  return (await due.execute()).map(({ environment, transaction_code, account_id: accountId }) => ({
    key: { environment, transactionCode: String(transaction_code) },
    accountId,
  }))
}

function openRows(db: VaultConnection) {
  return orderedRows(db).where('card_charges.ended_at_ms', 'is', null)
}

function orderedRows(db: VaultConnection) {
  return db
    .selectFrom('card_charges')
    .innerJoin('authorizations', (join) =>
      join
        .onRef('authorizations.transaction_code', '=', 'card_charges.transaction_code')
        .onRef('authorizations.environment', '=', 'card_charges.environment'),
    )
    .selectAll('card_charges')
    .select(['merchant_id', 'amount_minor', 'brand', 'bin', 'last_four', 'saved_card_code'])
}

type OrderedRow = Row &
  Pick<
    VaultTables['authorizations'],
    'merchant_id' | 'amount_minor' | 'brand' | 'bin' | 'last_four' | 'saved_card_code'
  >

function orderedCharge(row: OrderedRow): OrderedCharge {
  return {
    ...chargeOfRow(row),
    merchantId: row.merchant_id,
    amountMinor: minorUnits(row.amount_minor),
    card: { brand: row.brand, bin: row.bin, lastFour: row.last_four },
    cardCode: row.charged_card_code ?? row.saved_card_code ?? undefined,
  }
}

export interface LeaseRequest {
  readonly state: CardCharge['state']
  readonly nowMs: number
  /** The time of the next request, whatever the result of this call; unchanged if undefined. */
  readonly nextAskAtMs?: number
}

/**
 * Leases a charge in that state to one process; undefined if its state is another, or if it is
 * leased. Returns the charge as it was before. This commit erases the record of an absence, because
 * the call that follows may reach the acquirer.
 */
export async function leaseCharge(
  trx: VaultConnection,
  key: ChargeKey,
  { state, nowMs, nextAskAtMs }: LeaseRequest,
): Promise<CardCharge | undefined> {
  const row = await trx
    .selectFrom('card_charges')
    .selectAll()
    .where((row) => row.and(keyOf(key)))
    .where('ended_at_ms', 'is', null)
    .where('state', '=', state)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || isLeased(row.lease_until_ms, nowMs)) return undefined
  const leaseUntilMs = nowMs + CHARGE_LEASE_MS
  await trx
    .updateTable('card_charges')
    .set({
      lease_until_ms: leaseUntilMs,
      absent_since_ms: null,
      ...(nextAskAtMs !== undefined && { next_ask_at_ms: nextAskAtMs }),
    })
    .where((row) => row.and(keyOf(key)))
    .execute()
  return { ...chargeOfRow(row), leaseUntilMs }
}

/** The record of a call that did not reveal the outcome. */
export interface ChargeDoubt extends Pick<CardCharge, 'absentSinceMs' | 'nextAskAtMs'> {
  /** If undefined, the recorded payment stays. */
  readonly payment?: AcquirerPayment | undefined
}

/** Ends a lease; false if it was lost. */
export async function releaseLease(
  trx: VaultConnection,
  charge: CardCharge,
  { absentSinceMs, nextAskAtMs, payment }: ChargeDoubt,
): Promise<boolean> {
  return await updateHeld(trx, charge, {
    ...(payment && paymentColumns(payment)),
    lease_until_ms: 0,
    absent_since_ms: absentSinceMs ?? null,
    next_ask_at_ms: nextAskAtMs,
  })
}

/** Moves an order to another account, before that one is asked; false if the lease was lost. */
export async function routeOn(
  trx: VaultConnection,
  from: CardCharge,
  to: CardCharge,
): Promise<boolean> {
  return await updateHeld(trx, from, rowOfCharge(to))
}

/** Removes a charge that no account has made; false if the lease was lost. */
export async function removeCharge(trx: VaultConnection, charge: CardCharge): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('card_charges')
    .where((row) => row.and(keyOf(charge.key)))
    .where('lease_until_ms', '=', charge.leaseUntilMs)
    .where('ended_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Changes a charge only while the caller's lease is the last one. */
async function updateHeld(
  trx: VaultConnection,
  { key, leaseUntilMs }: Pick<CardCharge, 'key' | 'leaseUntilMs'>,
  columns: Partial<Row>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('card_charges')
    .set(columns)
    .where((row) => row.and(keyOf(key)))
    .where('lease_until_ms', '=', leaseUntilMs)
    .where('ended_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The acquirer's report of a charge. */
export interface AcquirerReport {
  readonly state: 'approved' | 'declined' | 'pending'
  readonly accountId: string
  readonly provider: string
  /** If undefined, the recorded payment stays. */
  readonly payment: AcquirerPayment | undefined
  /** When its authorization ends, if it is approved and captured later. */
  readonly captureEndsAtMs: number | undefined
  readonly atMs: number
}

/** The columns of an acquirer's report, except for the payment. */
export function reportColumns(report: AcquirerReport) {
  const { state, accountId, provider, captureEndsAtMs = null, atMs } = report
  return {
    state,
    account_id: accountId,
    provider,
    absent_since_ms: null,
    lease_until_ms: 0,
    next_ask_at_ms: atMs,
    ended_at_ms: state === 'pending' ? null : atMs,
    capture_ends_at_ms: captureEndsAtMs,
    release_check_at_ms: captureEndsAtMs,
  } satisfies Partial<Row>
}

/**
 * Writes the acquirer's report, which is final unless it is pending. False if the outcome was known
 * before. It ignores leases: a fact about a charge holds for every process.
 */
export async function recordReport(
  trx: VaultConnection,
  key: ChargeKey,
  report: AcquirerReport,
): Promise<boolean> {
  const { payment } = report
  const { numUpdatedRows } = await trx
    .updateTable('card_charges')
    .set({ ...reportColumns(report), ...(payment && paymentColumns(payment)) })
    .where((row) => row.and(keyOf(key)))
    .where('ended_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Records that an authorized charge was captured, or with an amount of 0 that it was released. */
export async function recordCaptureEnd(
  trx: VaultConnection,
  key: ChargeKey,
  { capturedMinor, nowMs }: { readonly capturedMinor: MinorUnits; readonly nowMs: number },
): Promise<void> {
  await trx
    .updateTable('card_charges')
    .set({
      captured_minor: capturedMinor,
      capture_ended_at_ms: nowMs,
      release_check_at_ms: null,
    })
    .where((row) => row.and(keyOf(key)))
    .execute()
}

/**
 * Marks charges that were requested too long ago. They are found or cancelled, and no longer
 * requested.
 */
export async function beginEndings(trx: VaultConnection, askedBeforeMs: number): Promise<void> {
  await trx
    .updateTable('card_charges')
    .set({ state: 'ending' })
    .where('ended_at_ms', 'is', null)
    .where('state', '=', sql.lit('asked'))
    .where('first_attempt_at_ms', '<', askedBeforeMs)
    .execute()
}

/** Has a charge found or cancelled now, without further waiting. The caller has its lease. */
export async function beginEnding(
  trx: VaultConnection,
  charge: CardCharge,
  nowMs: number,
): Promise<boolean> {
  const ending = { state: 'ending', lease_until_ms: 0, next_ask_at_ms: nowMs } as const
  return await updateHeld(trx, charge, ending)
}

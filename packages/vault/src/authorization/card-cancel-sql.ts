import {
  DAY_MS,
  type Environment,
  type MinorUnits,
  type PaymentKey,
  minorUnits,
} from '@cofre/contracts'
import { dueFirst, isElsewhere } from '@cofre/work'
import { sql } from 'kysely'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { byEnvironment } from '../model/by-environment.js'
import {
  CHARGE_LEASE_MS,
  type ChargeKey,
  LONGEST_CHARGE_PAUSE_MS,
  isLeased,
} from './card-charge.js'
import { type DueList } from './account-lanes-sql.js'

type Row = VaultTables['card_cancels']

/** A cancel that isn't done by this age needs a person. */
export const CANCEL_OVERDUE_MS: number = DAY_MS

/** A payment at an acquirer that is to be undone as a whole. */
export interface CardCancel {
  readonly key: PaymentKey
  readonly accountId: string
  /** Undefined while only our key identifies it. */
  readonly paymentId: string | undefined
  readonly state: Row['state']
  readonly chargedMinor: MinorUnits
  /** The latest time at which the payment was requested. */
  readonly chargedAtMs: number
  readonly attempts: number
  readonly firstAttemptAtMs: number | undefined
  readonly absentSinceMs: number | undefined
  readonly leaseUntilMs: number
  readonly detail: string | undefined
  readonly createdAtMs: number
}

export type CancelKey = ChargeKey & Pick<CardCancel, 'paymentId'>

const keyOf = ({ environment, transactionCode, paymentId = '' }: CancelKey) => ({
  environment,
  transaction_code: Number(transactionCode),
  payment_id: paymentId,
})

const keyOfCancel = ({ key, paymentId }: CardCancel): ReturnType<typeof keyOf> =>
  keyOf({ ...key, paymentId })

/** Requests the cancellation of a payment, once and durably. */
export async function insertCancel(
  trx: VaultConnection,
  key: CancelKey,
  { accountId, nowMs }: { readonly accountId: string; readonly nowMs: number },
): Promise<void> {
  await trx
    .insertInto('card_cancels')
    .values({
      ...keyOf(key),
      account_id: accountId,
      state: 'wanted',
      attempts: 0,
      first_attempt_at_ms: null,
      absent_since_ms: null,
      lease_until_ms: 0,
      next_ask_at_ms: nowMs,
      return_id: null,
      detail: null,
      created_at_ms: nowMs,
      ended_at_ms: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A cancel, the account that is to make it, and the number of attempts. */
export interface DueCancel extends Pick<CardCancel, 'accountId' | 'attempts'> {
  readonly key: CancelKey
}

/** Cancels that are due, the first due first, including those of unreadable orders. */
export async function dueCancels(
  db: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly DueCancel[]> {
  const wanted = db
    .selectFrom('card_cancels')
    .select(['environment', 'transaction_code', 'payment_id', 'account_id', 'attempts'])
    .where('ended_at_ms', 'is', null)
    .where('state', '=', 'wanted')
    .where(isElsewhere(sql.ref('account_id'), busy))
  const due = dueFirst(wanted, {
    at: 'next_ask_at_ms',
    longestMs: LONGEST_CHARGE_PAUSE_MS,
    nowMs,
    limit,
    lease: { until: 'lease_until_ms', longestMs: CHARGE_LEASE_MS },
  })
  return (await due.execute()).map((row) => ({
    key: {
      environment: row.environment,
      transactionCode: String(row.transaction_code),
      paymentId: paymentIdOf(row),
    },
    accountId: row.account_id,
    attempts: row.attempts,
  }))
}

/** Postpones a cancel, even one of an unreadable order, so that others come first. */
export async function postponeCancel(
  trx: VaultConnection,
  key: CancelKey,
  untilMs: number,
): Promise<void> {
  await trx
    .updateTable('card_cancels')
    .set({ next_ask_at_ms: untilMs })
    .where((row) => row.and(keyOf(key)))
    .where('ended_at_ms', 'is', null)
    .execute()
}

/** Cancels that were refused, or that are older than the given time and not done, oldest first. */
export async function openCancels(
  db: VaultConnection,
  wantedBeforeMs: number,
): Promise<readonly CardCancel[]> {
  const rows = await cancelRows(db)
    .where('card_cancels.ended_at_ms', 'is', null)
    .where((row) =>
      row.or([
        row('card_cancels.state', '=', 'refused'),
        row('card_cancels.created_at_ms', '<', wantedBeforeMs),
      ]),
    )
    .orderBy('card_cancels.created_at_ms')
    .execute()
  return rows.map(cancelOf)
}

/** The number of {@link openCancels}, by environment. */
export async function countOpenCancels(
  db: VaultConnection,
  wantedBeforeMs: number,
): Promise<Readonly<Record<Environment, number>>> {
  const rows = await db
    .selectFrom('card_cancels')
    .select((row) => ['environment', row.fn.countAll<number | bigint | string>().as('count')])
    .where('ended_at_ms', 'is', null)
    .where((row) =>
      row.or([row('state', '=', 'refused'), row('created_at_ms', '<', wantedBeforeMs)]),
    )
    .groupBy('environment')
    .execute()
  return byEnvironment(rows)
}

/** A cancel that has not ended, locked until the unit of work ends. */
export async function lockOpenCancel(
  trx: VaultConnection,
  key: CancelKey,
): Promise<CardCancel | undefined> {
  const { environment, transaction_code, payment_id } = keyOf(key)
  const locked = await trx
    .selectFrom('card_cancels')
    .select('payment_id')
    .where((row) => row.and({ environment, transaction_code, payment_id }))
    .where('ended_at_ms', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (locked === undefined) return undefined
  const row = await cancelRows(trx)
    .where('card_cancels.environment', '=', environment)
    .where('card_cancels.transaction_code', '=', transaction_code)
    .where('card_cancels.payment_id', '=', payment_id)
    .executeTakeFirstOrThrow()
  return cancelOf(row)
}

/** True if an acquirer may be cancelling a payment of that charge at this moment. */
export async function isBeingCancelled(
  db: VaultConnection,
  { environment, transactionCode }: ChargeKey,
  nowMs: number,
): Promise<boolean> {
  const rows = await db
    .selectFrom('card_cancels')
    .select(['state', 'lease_until_ms'])
    .where((row) => row.and({ environment, transaction_code: Number(transactionCode) }))
    .where('ended_at_ms', 'is', null)
    .execute()
  return rows.some((row) => row.state === 'in_process' || isLeased(row.lease_until_ms, nowMs))
}

/** Ends a cancel on a person's decision. Does nothing if it has ended. */
export async function endCancelByHand(
  trx: VaultConnection,
  key: CancelKey,
  { isDone, nowMs }: { readonly isDone: boolean; readonly nowMs: number },
): Promise<void> {
  await trx
    .updateTable('card_cancels')
    .set({
      state: isDone ? 'done' : 'refused',
      detail: 'ended by a person',
      lease_until_ms: 0,
      ended_at_ms: nowMs,
    })
    .where((row) => row.and(keyOf(key)))
    .where('ended_at_ms', 'is', null)
    .execute()
}

/** Selects the cancels of a payment, with the time of their end. */
export interface CancelsOfPayment extends Pick<Row, 'environment' | 'transaction_code'> {
  readonly payment_id: string
  readonly ended_at_ms: number
}

/** Ends the cancels of a charge that was approved after all. */
export function cancelsToDrop(
  trx: VaultConnection,
  { environment, transaction_code, payment_id, ended_at_ms }: CancelsOfPayment,
) {
  return trx
    .updateTable('card_cancels')
    .set({ state: 'done', ended_at_ms, detail: 'charged after all' })
    .where((row) => row.and({ environment, transaction_code }))
    .where('payment_id', 'in', ['', payment_id])
    .where('state', 'in', ['wanted', 'refused'])
    .where('ended_at_ms', 'is', null)
}

export async function dropCancels(
  trx: VaultConnection,
  key: CancelKey,
  nowMs: number,
): Promise<void> {
  await cancelsToDrop(trx, { ...keyOf(key), ended_at_ms: nowMs }).execute()
}

/** True if a cancel would undo the payment in its order's answer. */
async function isOfKeptPayment(
  trx: VaultConnection,
  { environment, transactionCode, paymentId }: CancelKey,
): Promise<boolean> {
  // Locked, so that an approval that comes now waits until the lease is taken.
  const charge = await trx
    .selectFrom('card_charges')
    .select(['state', 'payment_id'])
    .where((row) => row.and({ environment, transaction_code: Number(transactionCode) }))
    .forUpdate()
    .executeTakeFirst()
  if (charge?.state !== 'approved') return false
  return paymentId === undefined || paymentId === charge.payment_id
}

/**
 * The lease on a cancel, with the results of earlier attempts. Undefined if another process has it,
 * or its charge was approved. The next attempt is at `nextAskAtMs`, unless the result sets another
 * time.
 */
export async function leaseCancel(
  trx: VaultConnection,
  key: CancelKey,
  { nowMs, nextAskAtMs }: { readonly nowMs: number; readonly nextAskAtMs: number },
): Promise<CardCancel | undefined> {
  if (await isOfKeptPayment(trx, key)) {
    await dropCancels(trx, key, nowMs)
    return undefined
  }
  const before = await lockOpenCancel(trx, key)
  if (before?.state !== 'wanted' || isLeased(before.leaseUntilMs, nowMs)) return undefined
  const leaseUntilMs = nowMs + CHARGE_LEASE_MS
  await trx
    .updateTable('card_cancels')
    .set({
      attempts: before.attempts + 1,
      first_attempt_at_ms: before.firstAttemptAtMs ?? nowMs,
      absent_since_ms: null,
      lease_until_ms: leaseUntilMs,
      next_ask_at_ms: nextAskAtMs,
    })
    .where((row) => row.and(keyOf(key)))
    .execute()
  return { ...before, leaseUntilMs }
}

/** The result of an attempt. */
export interface CancelResult {
  readonly state: Row['state']
  readonly nextAskAtMs?: number
  readonly absentSinceMs?: number | undefined
  /** True if nothing was done: the next attempt counts as the first. */
  readonly wasNotDone?: boolean
  readonly returnId?: string | undefined
  readonly detail?: string | undefined
}

/** Ends a lease with the attempt's result; false if the lease was lost. */
export async function recordCancelResult(
  trx: VaultConnection,
  cancel: CardCancel,
  { atMs, ...result }: CancelResult & { readonly atMs: number },
): Promise<boolean> {
  const { state, nextAskAtMs = atMs, absentSinceMs, wasNotDone = false } = result
  const { numUpdatedRows } = await trx
    .updateTable('card_cancels')
    .set({
      state,
      lease_until_ms: 0,
      next_ask_at_ms: nextAskAtMs,
      absent_since_ms: absentSinceMs ?? null,
      return_id: result.returnId ?? null,
      detail: result.detail ?? null,
      ended_at_ms: state === 'done' ? atMs : null,
      ...(wasNotDone && { first_attempt_at_ms: cancel.firstAttemptAtMs ?? null }),
    })
    .where((row) => row.and(keyOfCancel(cancel)))
    .where('lease_until_ms', '=', cancel.leaseUntilMs)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function cancelRows(db: VaultConnection) {
  return db
    .selectFrom('card_cancels')
    .innerJoin('card_charges', (join) =>
      join
        .onRef('card_charges.transaction_code', '=', 'card_cancels.transaction_code')
        .onRef('card_charges.environment', '=', 'card_cancels.environment'),
    )
    .innerJoin('authorizations', (join) =>
      join
        .onRef('authorizations.transaction_code', '=', 'card_cancels.transaction_code')
        .onRef('authorizations.environment', '=', 'card_cancels.environment'),
    )
    .selectAll('card_cancels')
    .select([
      'card_charges.installation',
      'card_charges.first_attempt_at_ms as asked_at_ms',
      'card_charges.ended_at_ms as charged_at_ms',
      'authorizations.amount_minor',
    ])
}

type CancelRow = Row & {
  readonly installation: string
  readonly asked_at_ms: number
  readonly charged_at_ms: number | null
  readonly amount_minor: number
}

const paymentIdOf = ({ payment_id }: Pick<Row, 'payment_id'>): string | undefined =>
  payment_id === '' ? undefined : payment_id

function cancelOf(row: CancelRow): CardCancel {
  const { environment, installation } = row
  return {
    key: { installation, environment, transactionCode: String(row.transaction_code) },
    accountId: row.account_id,
    paymentId: paymentIdOf(row),
    state: row.state,
    chargedMinor: minorUnits(row.amount_minor),
    chargedAtMs: row.charged_at_ms ?? row.asked_at_ms,
    attempts: row.attempts,
    firstAttemptAtMs: row.first_attempt_at_ms ?? undefined,
    absentSinceMs: row.absent_since_ms ?? undefined,
    leaseUntilMs: row.lease_until_ms,
    detail: row.detail ?? undefined,
    createdAtMs: row.created_at_ms,
  }
}

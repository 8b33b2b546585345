// The progress of later readings, by account.
import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { sql } from 'kysely'
import { claim, isElsewhere } from '@cofre/work'
import { type DueList } from '../authorization/account-lanes-sql.js'
import type { ChargeKey } from '../authorization/card-charge.js'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { NOTICE_STEP, type ReadingPeriod, periodOf } from './reading-step.js'

/** A step of an account, advanced by one process. */
export interface Reading {
  readonly accountId: string
  readonly stepDays: number
  /** Charges up to this one, by the time of their approval, are read. */
  readonly readToMs: number
  readonly readToCode: number
  /** Failed tries at the charge after that. */
  readonly tries: number
}

export interface ChargeToRead {
  readonly key: ChargeKey
  readonly accountId: string
  readonly approvedAtMs: number
}

export async function planReading(
  trx: VaultConnection,
  accountId: string,
  stepDays: readonly number[],
): Promise<void> {
  await trx
    .insertInto('card_readings')
    .values(
      stepDays.map((days) => ({
        account_id: accountId,
        step_days: days,
        read_to_ms: 0,
        read_to_code: 0,
        tries: 0,
        next_at_ms: 0,
      })),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'step_days']).doNothing())
    .execute()
}

export const READING_PAUSE_MAX_MS: number = HOUR_MS
/** By then a process has advanced the step, or has ended. */
const TURN_MS = MINUTE_MS

/** Claims due steps, each for one caller alone. */
export async function claimReadings(
  database: VaultDatabase,
  { nowMs, limit, busy }: DueList,
): Promise<readonly Reading[]> {
  const rows = await claim(database, {
    table: 'card_readings',
    key: ['account_id', 'step_days'],
    rows: (db) =>
      db
        .selectFrom('card_readings')
        .selectAll()
        .where(isElsewhere(sql.ref('account_id'), busy)),
    due: { at: 'next_at_ms', longestMs: READING_PAUSE_MAX_MS, nowMs, limit },
    take: () => ({ next_at_ms: nowMs + TURN_MS }),
  })
  return rows.map(readingOf)
}

function readingOf(row: VaultTables['card_readings']): Reading {
  return {
    accountId: row.account_id,
    stepDays: row.step_days,
    readToMs: row.read_to_ms,
    readToCode: row.read_to_code,
    tries: row.tries,
  }
}

/** The progress of a step. */
export interface ReadingEnd {
  readonly nextAtMs: number
  /** The last charge that was read. */
  readonly readTo?: ChargeToRead | undefined
  readonly tries?: number
}

/** Records a step's progress, unless another process has advanced it further. */
export async function advanceReading(
  trx: VaultConnection,
  { accountId, stepDays, readToMs, readToCode, tries }: Reading,
  { nextAtMs, readTo, tries: triesNow = tries }: ReadingEnd,
): Promise<void> {
  await trx
    .updateTable('card_readings')
    .set({
      next_at_ms: nextAtMs,
      tries: triesNow,
      ...(readTo !== undefined && {
        read_to_ms: readTo.approvedAtMs,
        read_to_code: Number(readTo.key.transactionCode),
      }),
    })
    .where((of) =>
      of.and({
        account_id: accountId,
        step_days: stepDays,
        read_to_ms: readToMs,
        read_to_code: readToCode,
      }),
    )
    .execute()
}

function unreadCharges(
  reader: VaultConnection,
  { accountId, readToMs, readToCode }: Reading,
  { afterMs, untilMs }: ReadingPeriod,
) {
  return (
    reader
      .selectFrom('card_charges')
      .where('account_id', '=', accountId)
      // Literal, so that PostgreSQL uses the partial index.
      .where('state', '=', sql.lit('approved'))
      .where('ended_at_ms', '>=', Math.max(readToMs, afterMs))
      .where('ended_at_ms', '<=', untilMs)
      .where((of) =>
        of(
          of.refTuple('ended_at_ms', 'transaction_code'),
          '>',
          of.tuple<number | null, number>(readToMs, readToCode),
        ),
      )
  )
}

/** The unread charges of a period, oldest first. */
export async function chargesToRead(
  reader: VaultConnection,
  reading: Reading,
  { period, limit }: { readonly period: ReadingPeriod; readonly limit: number },
): Promise<readonly ChargeToRead[]> {
  const rows = await unreadCharges(reader, reading, period)
    .select(['environment', 'transaction_code', 'ended_at_ms'])
    .orderBy('ended_at_ms')
    .orderBy('transaction_code')
    .limit(limit)
    .execute()
  return rows.map(({ environment, transaction_code, ended_at_ms }) => ({
    key: { environment, transactionCode: String(transaction_code) },
    accountId: reading.accountId,
    approvedAtMs: ended_at_ms ?? 0,
  }))
}

/** More make no difference: an account's limit of calls is below the number that they need. */
const COUNTED_MAX = 300_000

export async function countToRead(
  reader: VaultConnection,
  reading: Reading,
  period: ReadingPeriod,
): Promise<number> {
  const some = unreadCharges(reader, reading, period).select('transaction_code').limit(COUNTED_MAX)
  const { count } = await reader
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The delay of an account's readings. */
export interface ReadingsBehind {
  readonly accountId: string
  /** The number of charges that are due. */
  readonly due: number
  /** How long the oldest of them has been due. */
  readonly behindMs: number
}

/** For each account that can be read, all its steps together. */
export async function readingsBehind(
  reader: VaultConnection,
  nowMs: number,
): Promise<readonly ReadingsBehind[]> {
  const rows = await reader
    .selectFrom('card_readings')
    .selectAll()
    .where('step_days', '!=', NOTICE_STEP)
    .orderBy('account_id')
    .execute()
  const behind = new Map<string, ReadingsBehind>()
  for (const row of rows) {
    const reading = readingOf(row)
    const period = periodOf(reading.stepDays, nowMs)
    const [oldest] = await chargesToRead(reader, reading, { period, limit: 1 })
    const { due = 0, behindMs = 0 } = behind.get(reading.accountId) ?? {}
    const sinceMs = oldest === undefined ? 0 : period.untilMs - oldest.approvedAtMs
    behind.set(reading.accountId, {
      accountId: reading.accountId,
      due: due + (await countToRead(reader, reading, period)),
      behindMs: Math.max(behindMs, sinceMs),
    })
  }
  return [...behind.values()]
}

/**
 * The accounts with a charge to read and without planned readings, of both environments. Only those
 * are connected for planning.
 */
export async function unplannedAccounts(reader: VaultConnection): Promise<readonly string[]> {
  const rows = await reader
    .selectFrom('accounts')
    .select('id')
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('card_readings')
            .select('step_days')
            .whereRef('card_readings.account_id', '=', 'accounts.id'),
        ),
      ),
    )
    .where((of) =>
      of.exists(
        of
          .selectFrom('card_charges')
          .select('transaction_code')
          .whereRef('card_charges.account_id', '=', 'accounts.id')
          .where('state', '=', sql.lit('approved')),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

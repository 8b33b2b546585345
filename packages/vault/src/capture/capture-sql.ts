import { dueFirst, isElsewhere } from '@cofre/work'
import { type AtAccount, type DueList, accountOf } from '../authorization/account-lanes-sql.js'
import type { ChargeKey } from '../authorization/card-charge.js'
import type { VaultConnection } from '../database/vault-database.js'
import {
  CAPTURE_PAUSE_MAX_MS,
  type CardCapture,
  captureOfRow,
  rowOfCapture,
} from './card-capture.js'

const keyOf = ({ environment, transactionCode }: ChargeKey) => ({
  transaction_code: Number(transactionCode),
  environment,
})

export async function findCapture(
  db: VaultConnection,
  key: ChargeKey,
): Promise<CardCapture | undefined> {
  const row = await db
    .selectFrom('card_captures')
    .selectAll()
    .where((of) => of.and(keyOf(key)))
    .executeTakeFirst()
  return row && captureOfRow(row)
}

/** Writes the present capture or void of a charge, which the caller has locked. */
export async function putCapture(trx: VaultConnection, capture: CardCapture): Promise<void> {
  const row = rowOfCapture(capture)
  await trx
    .insertInto('card_captures')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['transaction_code', 'environment']).doUpdateSet(row),
    )
    .execute()
}

/** A charge with a capture or a void. */
export interface DueCapture extends AtAccount {
  readonly key: ChargeKey
}

/** Those that are due to be requested or checked, including those of unreadable rows. */
export async function dueCaptures(
  reader: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly DueCapture[]> {
  const account = accountOf('card_captures')
  const waiting = reader
    .selectFrom('card_captures')
    .select(['environment', 'transaction_code', account.as('account_id')])
    // Repeats the condition of the partial index, so that it is used.
    .where('next_ask_at_ms', 'is not', null)
    .where(isElsewhere(account, busy))
  const longestMs = CAPTURE_PAUSE_MAX_MS
  const rows = await dueFirst(waiting, { at: 'next_ask_at_ms', longestMs, nowMs, limit }).execute()
  return rows.map(({ environment, transaction_code, account_id }) => ({
    key: { environment, transactionCode: String(transaction_code) },
    accountId: account_id ?? undefined,
  }))
}

/** Postpones a capture or a void, even one with an unreadable row, so that others come first. */
export async function postponeCapture(
  trx: VaultConnection,
  key: ChargeKey,
  untilMs: number,
): Promise<void> {
  await trx
    .updateTable('card_captures')
    .set({ next_ask_at_ms: untilMs })
    .where((of) => of.and(keyOf(key)))
    .where('next_ask_at_ms', 'is not', null)
    .execute()
}

/** A capture or a void, and the account that charged its payment. */
export interface CaptureAtAccount extends CardCapture {
  readonly accountId: string
}

/** Captures and voids that were ordered by the given time and have not ended, oldest first. */
export async function openCapturesUntil(
  reader: VaultConnection,
  untilMs: number,
  limit: number,
): Promise<readonly CaptureAtAccount[]> {
  const rows = await openCaptures(reader)
    .innerJoin('card_charges', (join) =>
      join
        .onRef('card_charges.transaction_code', '=', 'card_captures.transaction_code')
        .onRef('card_charges.environment', '=', 'card_captures.environment'),
    )
    .selectAll('card_captures')
    .select('card_charges.account_id')
    .where('card_captures.created_at_ms', '<=', untilMs)
    .orderBy('card_captures.created_at_ms')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...captureOfRow(row), accountId: row.account_id }))
}

/**
 * Counts captures and voids that have not ended, by environment and operation, without the kinds
 * that have none.
 * @returns `sinceMs` is when the oldest was ordered.
 */
export async function countOpenCaptures(reader: VaultConnection) {
  const rows = await openCaptures(reader)
    .select((row) => [
      'environment',
      'operation',
      row.fn.countAll<number | bigint | string>().as('count'),
      row.fn.min<number | bigint | string>('created_at_ms').as('since_ms'),
    ])
    .groupBy(['environment', 'operation'])
    .execute()
  return rows.map(({ count, since_ms, ...kind }) => ({
    ...kind,
    count: Number(count),
    sinceMs: Number(since_ms),
  }))
}

function openCaptures(reader: VaultConnection) {
  // The condition of the partial index, so that it is used.
  return reader.selectFrom('card_captures').where('card_captures.ended_at_ms', 'is', null)
}

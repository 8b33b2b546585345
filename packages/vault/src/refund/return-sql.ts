import type { Environment } from '@cofre/contracts'
import { dueFirst, isElsewhere } from '@cofre/work'
import type { VaultConnection } from '../database/vault-database.js'
import { byEnvironment } from '../model/by-environment.js'
import {
  type CardReturn,
  LONGEST_RETURN_PAUSE_MS,
  type ReturnKey,
  returnOfRow,
  rowOfReturn,
} from './card-return.js'
import { type DueList, type AtAccount, accountOf } from '../authorization/account-lanes-sql.js'

/** Stores a refund unless there is one with its name. */
export async function insertReturnIfAbsent(
  trx: VaultConnection,
  refund: CardReturn,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('card_returns')
    .values(rowOfReturn(refund))
    .onConflict((conflict) => conflict.columns(['name', 'environment']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

export async function findReturn(
  db: VaultConnection,
  { name, environment }: ReturnKey,
): Promise<CardReturn | undefined> {
  const row = await db
    .selectFrom('card_returns')
    .selectAll()
    .where((of) => of.and({ name, environment }))
    .executeTakeFirst()
  return row && returnOfRow(row)
}

/** All refunds of a charge, oldest first. */
export async function returnsOfCharge(
  db: VaultConnection,
  { environment, transactionCode }: Pick<CardReturn, 'environment' | 'transactionCode'>,
): Promise<readonly CardReturn[]> {
  const rows = await db
    .selectFrom('card_returns')
    .selectAll()
    .where((of) => of.and({ transaction_code: Number(transactionCode), environment }))
    .orderBy('created_at_ms')
    .orderBy('name')
    .execute()
  return rows.map(returnOfRow)
}

/** Writes a refund's present state. The caller has locked its charge. */
export async function updateReturn(trx: VaultConnection, refund: CardReturn): Promise<void> {
  const { name, environment, ...columns } = rowOfReturn(refund)
  await trx
    .updateTable('card_returns')
    .set(columns)
    .where((of) => of.and({ name, environment }))
    .execute()
}

/** A refund, its charge and the account that charged it. */
export interface DueReturn extends ReturnKey, AtAccount {
  readonly transactionCode: string
}

/** Refunds that are due to be requested or checked, including those of unreadable rows. */
export async function dueReturns(
  reader: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly DueReturn[]> {
  const account = accountOf('card_returns')
  const waiting = reader
    .selectFrom('card_returns')
    .select(['name', 'environment', 'transaction_code', account.as('account_id')])
    // Repeats the condition of the partial index, so that it is used.
    .where('next_ask_at_ms', 'is not', null)
    .where(isElsewhere(account, busy))
  const due = { at: 'next_ask_at_ms', longestMs: LONGEST_RETURN_PAUSE_MS, nowMs, limit } as const
  const rows = await dueFirst(waiting, due).execute()
  return rows.map(({ name, environment, transaction_code, account_id }) => ({
    name,
    environment,
    transactionCode: String(transaction_code),
    accountId: account_id ?? undefined,
  }))
}

/** Postpones a refund, even one with an unreadable row, so that others come first. */
export async function postponeReturn(
  trx: VaultConnection,
  { name, environment }: ReturnKey,
  untilMs: number,
): Promise<void> {
  await trx
    .updateTable('card_returns')
    .set({ next_ask_at_ms: untilMs })
    .where((of) => of.and({ name, environment }))
    .where('next_ask_at_ms', 'is not', null)
    .execute()
}

/** A refund, and the account that charged its payment. */
export interface ReturnAtAccount extends CardReturn {
  readonly accountId: string
}

/** Refunds that were requested before the given time and have not ended, oldest first. */
export async function openReturnsBefore(
  reader: VaultConnection,
  beforeMs: number,
  limit: number,
): Promise<readonly ReturnAtAccount[]> {
  const rows = await reader
    .selectFrom('card_returns')
    .innerJoin('card_charges', (join) =>
      join
        .onRef('card_charges.transaction_code', '=', 'card_returns.transaction_code')
        .onRef('card_charges.environment', '=', 'card_returns.environment'),
    )
    .selectAll('card_returns')
    .select('card_charges.account_id')
    // Repeats the condition of the partial index, so that it is used.
    .where('card_returns.ended_at_ms', 'is', null)
    .where('card_returns.created_at_ms', '<', beforeMs)
    .orderBy('card_returns.created_at_ms')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...returnOfRow(row), accountId: row.account_id }))
}

export async function countOpenReturnsBefore(
  reader: VaultConnection,
  beforeMs: number,
): Promise<Readonly<Record<Environment, number>>> {
  const rows = await reader
    .selectFrom('card_returns')
    .select((row) => ['environment', row.fn.countAll<number | bigint | string>().as('count')])
    .where('ended_at_ms', 'is', null)
    .where('created_at_ms', '<', beforeMs)
    .groupBy('environment')
    .execute()
  return byEnvironment(rows)
}

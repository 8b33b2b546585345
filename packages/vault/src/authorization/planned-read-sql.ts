// Charges that are to be found at their acquirer, because of a report that they changed.
import { dueFirst, isElsewhere } from '@cofre/work'
import { sql } from 'kysely'
import { type ChargeKey, LONGEST_CHARGE_PAUSE_MS } from './card-charge.js'
import type { VaultConnection } from '../database/vault-database.js'
import { type DueList, type AtAccount, accountOf } from './account-lanes-sql.js'

interface NamedPayment {
  readonly accountId: string
  readonly paymentId: string
}

/** Plans a look at a charge, unless one is planned; false if the account has no such charge. */
export async function planRead(
  trx: VaultConnection,
  { accountId, paymentId }: NamedPayment,
  atMs: number,
): Promise<boolean> {
  const charge = await trx
    .selectFrom('card_charges')
    .select(['transaction_code', 'environment'])
    .where('payment_id', '=', paymentId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (charge === undefined) return false
  await trx
    .insertInto('card_looks')
    .values({ ...charge, look_at_ms: atMs, is_later: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['transaction_code', 'environment'])
        .doUpdateSet({ look_at_ms: atMs })
        // A look that is under way may have read the earlier state; its next time is later.
        .where('card_looks.look_at_ms', '>', atMs),
    )
    .execute()
  return true
}

/** Plans a look at a charge that lets all other calls come first, unless one is planned. */
export async function planLaterRead(
  trx: VaultConnection,
  { environment, transactionCode }: ChargeKey,
  atMs: number,
): Promise<void> {
  await trx
    .insertInto('card_looks')
    .values({
      environment,
      transaction_code: Number(transactionCode),
      look_at_ms: atMs,
      is_later: 1,
    })
    .onConflict((conflict) => conflict.columns(['transaction_code', 'environment']).doNothing())
    .execute()
}

export interface PlannedRead {
  readonly key: ChargeKey
  readonly atMs: number
  /** True if it lets all other calls come first. */
  readonly isLater: boolean
}

export async function dueReads(
  reader: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly (PlannedRead & AtAccount)[]> {
  const account = accountOf('card_looks')
  const planned = reader
    .selectFrom('card_looks')
    .selectAll()
    .select(account.as('account_id'))
    .where(isElsewhere(account, busy))
  const due = { at: 'look_at_ms', longestMs: LONGEST_CHARGE_PAUSE_MS, nowMs, limit } as const
  const rows = await dueFirst(planned, due).execute()
  return rows.map((row) => ({
    key: { environment: row.environment, transactionCode: String(row.transaction_code) },
    atMs: row.look_at_ms,
    isLater: row.is_later === 1,
    accountId: row.account_id ?? undefined,
  }))
}

const rowOf = ({ key, atMs }: PlannedRead) => ({
  environment: key.environment,
  transaction_code: Number(key.transactionCode),
  look_at_ms: atMs,
})

/** Removes a look that was made, unless another was planned meanwhile. */
export async function removeRead(trx: VaultConnection, read: PlannedRead): Promise<void> {
  await trx
    .deleteFrom('card_looks')
    .where((of) => of.and(rowOf(read)))
    .execute()
}

/** Postpones a look; one that was planned meanwhile stays. */
export async function postponeRead(
  trx: VaultConnection,
  read: PlannedRead,
  untilMs: number,
): Promise<PlannedRead> {
  await trx
    .updateTable('card_looks')
    .set({ look_at_ms: untilMs })
    .where((of) => of.and(rowOf(read)))
    .execute()
  return { ...read, atMs: untilMs }
}

export interface PendingCharge {
  readonly key: ChargeKey
  readonly accountId: string
}

/** Pending charges whose acquirer is due to be asked again, the first due first. */
export async function duePending(
  reader: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly PendingCharge[]> {
  const pending = reader
    .selectFrom('card_charges')
    .select(['transaction_code', 'environment', 'account_id'])
    // Repeats the condition of the partial index, so that it is used.
    .where('ended_at_ms', 'is', null)
    .where('state', '=', sql.lit('pending'))
    .where(isElsewhere(sql.ref('account_id'), busy))
  const due = { at: 'next_ask_at_ms', longestMs: LONGEST_CHARGE_PAUSE_MS, nowMs, limit } as const
  const rows = await dueFirst(pending, due).execute()
  return rows.map(({ environment, transaction_code, account_id: accountId }) => ({
    key: { environment, transactionCode: String(transaction_code) },
    accountId,
  }))
}

/** Postpones the next request about a pending charge. */
export async function postponePending(
  trx: VaultConnection,
  { environment, transactionCode }: ChargeKey,
  untilMs: number,
): Promise<void> {
  await trx
    .updateTable('card_charges')
    .set({ next_ask_at_ms: untilMs })
    .where((of) => of.and({ environment, transaction_code: Number(transactionCode) }))
    .where('state', '=', 'pending')
    .execute()
}

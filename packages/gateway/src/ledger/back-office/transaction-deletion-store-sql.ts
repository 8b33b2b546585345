import type { Database } from '@cofre/sql'
import type { Kysely } from 'kysely'
import type { GatewayTables } from '../database/gateway-tables.js'

const BATCH_SIZE = 100

/** Deletes a store's answered transactions in batches ({@link BackOfficeStore}). */
export async function deleteTransactions(
  database: Database<GatewayTables>,
  merchantId: string,
): Promise<void> {
  // A replayed answer would name a transaction that is gone.
  await database.transact((unit) =>
    unit.deleteFrom('idempotency_keys').where('merchant_id', '=', merchantId).execute(),
  )
  for (;;) {
    const deleted = await database.transact((unit) => deleteBatch(unit, merchantId))
    if (deleted < BATCH_SIZE) break
  }
  // The notifications it refused are gone: the next one is sent at once.
  await database.transact((unit) =>
    unit.deleteFrom('failing_stores').where('merchant_id', '=', merchantId).execute(),
  )
}

async function deleteBatch(unit: Kysely<GatewayTables>, merchantId: string): Promise<number> {
  // The others' requests still wait for an answer. Transactions are locked first, as wherever a
  // refund changes too.
  const rows = await unit
    .selectFrom('transactions')
    .select('code')
    .where('merchant_id', '=', merchantId)
    .where((when) => when.or([when('open', '=', 0), when('first_status', 'is not', null)]))
    .orderBy('created_at')
    .orderBy('code')
    .limit(BATCH_SIZE)
    .forUpdate()
    .execute()
  const codes = rows.map(({ code }) => code)
  if (codes.length === 0) return 0
  // Notifications before their attempts: a worker records an attempt only of a notification that
  // exists.
  await unit.deleteFrom('notifications').where('transaction_code', 'in', codes).execute()
  await unit.deleteFrom('notification_attempts').where('transaction_code', 'in', codes).execute()
  await unit.deleteFrom('refunds').where('transaction_code', 'in', codes).execute()
  await unit.deleteFrom('transactions').where('code', 'in', codes).execute()
  return codes.length
}

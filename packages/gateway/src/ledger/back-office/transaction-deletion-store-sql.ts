import type { Connection, Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'

const TRANSACTIONS_AT_ONCE = 100

/** Deletes what was answered of a store, some transactions at a time: see {@link BackOfficeStore.deleteTransactions}. */
export async function deleteTransactions(
  database: Database<GatewayTables>,
  merchantId: string,
): Promise<void> {
  // A replayed answer would name a transaction that is gone.
  await database.transact((trx) =>
    trx.deleteFrom('idempotency_keys').where('merchant_id', '=', merchantId).execute(),
  )
  for (;;) {
    const deleted = await database.transact((trx) => deleteSome(trx, merchantId))
    if (deleted < TRANSACTIONS_AT_ONCE) break
  }
  // What it refused is gone: what comes is sent at once.
  await database.transact((trx) =>
    trx.deleteFrom('failing_stores').where('merchant_id', '=', merchantId).execute(),
  )
}

async function deleteSome(trx: Connection<GatewayTables>, merchantId: string): Promise<number> {
  // A request is still waiting for the others' answer. Transactions are locked first, as wherever a refund changes too.
  const rows = await trx
    .selectFrom('transactions')
    .select('code')
    .where('merchant_id', '=', merchantId)
    .where((when) => when.or([when('open', '=', 0), when('first_status', 'is not', null)]))
    .orderBy('created_at')
    .orderBy('code')
    .limit(TRANSACTIONS_AT_ONCE)
    .forUpdate()
    .execute()
  const codes = rows.map(({ code }) => code)
  if (codes.length === 0) return 0
  // Notifications before their attempts: a worker records an attempt only while there is the notification.
  await trx.deleteFrom('notifications').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('notification_attempts').where('transaction_code', 'in', codes).execute()
  const refunds = trx.selectFrom('refunds').select('id').where('transaction_code', 'in', codes)
  await trx.deleteFrom('refund_keys').where('id', 'in', refunds).execute()
  await trx.deleteFrom('refunds').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('transactions').where('code', 'in', codes).execute()
  await trx.deleteFrom('transaction_keys').where('transaction_code', 'in', codes).execute()
  return codes.length
}

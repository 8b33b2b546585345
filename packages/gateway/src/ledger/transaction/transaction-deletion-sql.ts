import type { Connection, Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import { followersOf } from '../transaction/follows-payments.js'

const BATCH_SIZE = 100

/**
 * Deletes a store's example payments with all their data; no more of them are made. Returns their
 * number.
 */
export async function deleteExamples(
  database: Database<GatewayTables>,
  merchantId: string,
): Promise<number> {
  // First, because each unit of work that makes examples checks this state.
  await database.transact((trx) =>
    trx
      .updateTable('example_sets')
      .set({ state: 'removed' })
      .where('merchant_id', '=', merchantId)
      .execute(),
  )
  for (let deleted = 0; ;) {
    const batch = await database.transact((trx) => deleteBatch(trx, merchantId, 'examples'))
    deleted += batch
    if (batch < BATCH_SIZE) return deleted
  }
}

/** Deletes a store's answered transactions in batches. */
export async function deleteTransactions(
  database: Database<GatewayTables>,
  merchantId: string,
): Promise<void> {
  await deleteExamples(database, merchantId)
  // A replayed response would name a deleted transaction.
  await database.transact((trx) =>
    trx.deleteFrom('idempotency_keys').where('merchant_id', '=', merchantId).execute(),
  )
  for (;;) {
    const deleted = await database.transact((trx) => deleteBatch(trx, merchantId, 'all'))
    if (deleted < BATCH_SIZE) break
  }
  await database.transact((trx) => deleteEvents(trx, merchantId))
  // The notifications that it refused are gone: the next one is sent immediately.
  await database.transact(async (trx) => {
    for (const table of ['failing_lanes', 'failing_stores'] as const)
      await trx.deleteFrom(table).where('merchant_id', '=', merchantId).execute()
  })
}

/** Its endpoints stay, as its secret does. */
async function deleteEvents(trx: Connection<GatewayTables>, merchantId: string): Promise<void> {
  const endpoints = trx
    .selectFrom('event_endpoints')
    .select('code')
    .where('merchant_id', '=', merchantId)
  await trx.deleteFrom('event_deliveries').where('endpoint_code', 'in', endpoints).execute()
  await trx.deleteFrom('events').where('merchant_id', '=', merchantId).execute()
}

async function deleteBatch(
  trx: Connection<GatewayTables>,
  merchantId: string,
  which: 'examples' | 'all',
): Promise<number> {
  // Other requests still wait for a response. Transactions are locked first, as everywhere that a
  // refund changes too.
  const rows = await trx
    .selectFrom('transactions')
    .select('code')
    .where('merchant_id', '=', merchantId)
    .where((when) => when.or([when('open', '=', 0), when('first_status', 'is not', null)]))
    .$if(which === 'examples', (of) => of.where('example', '=', 1))
    .orderBy('created_at')
    .orderBy('code')
    .limit(BATCH_SIZE)
    .forUpdate()
    .execute()
  const codes = rows.map(({ code }) => code)
  if (codes.length === 0) return 0
  // Notifications before their attempts: a worker records an attempt only of a notification that
  // exists.
  await trx.deleteFrom('notifications').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('notification_attempts').where('transaction_code', 'in', codes).execute()
  const refunds = trx.selectFrom('refunds').select('id').where('transaction_code', 'in', codes)
  await trx.deleteFrom('refund_keys').where('id', 'in', refunds).execute()
  await trx.deleteFrom('refunds').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('bank_payments').where('transaction_code', 'in', codes).execute()
  const charges = trx
    .selectFrom('bank_charges')
    .select('txid')
    .where('transaction_code', 'in', codes)
  await trx.deleteFrom('charge_names').where('txid', 'in', charges).execute()
  await trx.deleteFrom('bank_charges').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('card_declines').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('captures').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('card_changes').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('payment_link_tries').where('transaction_code', 'in', codes).execute()
  for (const { remove } of followersOf(trx)) await remove(trx, codes)
  await trx.deleteFrom('refund_notes').where('transaction_code', 'in', codes).execute()
  await trx.deleteFrom('transactions').where('code', 'in', codes).execute()
  await trx.deleteFrom('transaction_keys').where('transaction_code', 'in', codes).execute()
  return codes.length
}

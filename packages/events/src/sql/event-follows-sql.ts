import type { Connection } from '@cofre/sql'
import type { ErasesPayer, FollowsPayments, GatewayTables } from '@cofre/gateway/room'
import { recordEvent } from './event-insertion-sql.js'
import { FAN_OUT_TURN } from './fan-out-sql.js'

/** Events of payments: written with each change, and deleted with the payment. */
export const eventFollows: FollowsPayments = {
  changed: recordEvent,
  // They last for thirty days, wherever their payment is.
  lock: () => Promise.resolve(),
  move: () => Promise.resolve(),
  remove: deleteEventsOf,
}

/**
 * Deletes the events of a payer's payments. They hold nothing of the payer, but the store may have
 * chosen a reference that does.
 */
export const deleteEventsOfPayer: ErasesPayer = deleteEventsOf

async function deleteEventsOf(
  trx: Connection<GatewayTables>,
  codes: readonly number[],
): Promise<void> {
  // None is made for an event that is about to go.
  await trx.run(FAN_OUT_TURN)
  const subjects = codes.map(String)
  const stores = trx.selectFrom('transactions').select('merchant_id').where('code', 'in', codes)
  const endpoints = trx
    .selectFrom('event_endpoints')
    .select('code')
    .where('merchant_id', 'in', stores)
  await trx
    .deleteFrom('event_deliveries')
    .where('endpoint_code', 'in', endpoints)
    .where('subject', 'in', subjects)
    .execute()
  await trx
    .deleteFrom('events')
    .where('merchant_id', 'in', stores)
    .where('subject', 'in', subjects)
    .execute()
}

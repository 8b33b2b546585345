import type { Database } from '@cofre/sql'
import type { Notification } from '../../model/notification/notification.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { type GatewayTables, storedNotification } from '../database/gateway-tables.js'

/** A transaction's notifications outside the archive, in the order of its changes. */
export async function notificationsOf(
  { reader }: Database<GatewayTables>,
  code: TransactionCode,
): Promise<readonly Notification[]> {
  const rows = await reader
    .selectFrom('notifications')
    .selectAll()
    .where('transaction_code', '=', code)
    .orderBy('position')
    .execute()
  return rows.map((row) => storedNotification.read(row))
}

import type { TransactionStatus } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import { type Lane, laneOf } from '../../model/notification/lane.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { findToChange } from '../archive/archive-move-sql.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { notifyOfStatus } from './status-change.js'

/** A status of which a store is notified again. */
export interface RepeatedNotification {
  readonly code: TransactionCode
  readonly status: TransactionStatus
  readonly atMs: number
}

/**
 * Queues the notification and returns its lane; undefined if the transaction's status has changed.
 */
export async function notifyAgain(
  trx: Connection<GatewayTables>,
  { code, status, atMs }: RepeatedNotification,
): Promise<Lane | undefined> {
  const row = await findToChange(trx, code, () =>
    trx
      .selectFrom('transactions')
      .selectAll()
      .where('code', '=', code)
      .where('status', '=', status)
      .where('example', 'is', null)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (row === undefined) return undefined
  await notifyOfStatus(trx, { ...row, status_changed_at: atMs })
  const { merchant_id: merchantId, notification_url: url } = row
  return laneOf({ merchantId, url, refundId: undefined })
}

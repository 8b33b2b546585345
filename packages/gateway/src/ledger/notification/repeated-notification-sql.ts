import type { TransactionStatus } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import { laneOf } from '../../model/notification/lane.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { findToChange } from '../archive/archive-move-sql.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { notifyOfStatus } from '../transaction/status-change.js'
import { probeAtOnce } from './failing-lane-sql.js'

/** A status of which a store is notified once more. */
export interface RepeatedNotification {
  readonly code: TransactionCode
  readonly status: TransactionStatus
  readonly atMs: number
}

/** Queues it; false when the transaction's status is another by now. */
export async function notifyAgain(
  trx: Connection<GatewayTables>,
  { code, status, atMs }: RepeatedNotification,
): Promise<boolean> {
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
  if (row === undefined) return false
  await notifyOfStatus(trx, { ...row, status_changed_at: atMs })
  const { merchant_id: merchantId, notification_url: url } = row
  await probeAtOnce(trx, laneOf({ merchantId, url, refundId: undefined }), atMs)
  return true
}

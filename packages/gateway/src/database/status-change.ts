import { TRANSACTION_STATUSES, type TransactionStatus, mayBecome } from '@cofre/contracts'
import type { Kysely } from 'kysely'
import type { GatewayTables, TransactionRow } from './gateway-tables.js'
import { enqueueNotification } from './outbox.js'

/** Moves a transaction to a status it may go to, and puts the notification of it into the outbox; else undefined. */
export async function changeStatus(
  unit: Kysely<GatewayTables>,
  code: number,
  { to, atMs }: { readonly to: TransactionStatus; readonly atMs: number },
): Promise<TransactionRow | undefined> {
  const from = TRANSACTION_STATUSES.filter((status) => mayBecome(status, to))
  if (from.length === 0) return undefined
  const row = await unit
    .updateTable('transactions')
    .set({
      status: to,
      open: 0,
      status_changed_at: atMs,
      ...(to === 'COMPLETE' && { paid_at: atMs }),
    })
    .where('code', '=', code)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined) notifyOfStatus(unit, row)
  return row
}

/** Puts the notification of a transaction's status into the outbox. The caller has changed or locked its row. */
export function notifyOfStatus(unit: Kysely<GatewayTables>, row: TransactionRow): void {
  enqueueNotification(unit, {
    transactionCode: row.code,
    merchantId: row.merchant_id,
    url: row.notification_url,
    status: row.status,
    atMs: row.status_changed_at,
  })
}

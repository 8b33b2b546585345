import { TRANSACTION_STATUSES, mayBecome } from '@cofre/contracts'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { StatusMove } from '../transaction/transaction-store.js'
import type { GatewayTables, TransactionRow } from './gateway-tables.js'
import { enqueueNotification } from './outbox.js'

/**
 * Moves a transaction to a status it may go to, puts the notification of it into the outbox, and notes that a card waits
 * for its activation; else undefined.
 */
export async function changeStatus(
  unit: Kysely<GatewayTables>,
  code: number,
  { to, atMs, activateAtMs = 0 }: StatusMove,
): Promise<TransactionRow | undefined> {
  const from = TRANSACTION_STATUSES.filter((status) => mayBecome(status, to))
  if (from.length === 0) return undefined
  const row = await unit
    .updateTable('transactions')
    .set((set) => ({
      status: to,
      open: 0,
      status_changed_at: atMs,
      ...(to === 'COMPLETE' && { paid_at: atMs, activate_at: activation(set, activateAtMs) }),
    }))
    .where('code', '=', code)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined) notifyOfStatus(unit, row)
  return row
}

/** For cards that were saved, or whose answer got lost: then the vault alone knows. Columns are as they were before the change. */
function activation(set: ExpressionBuilder<GatewayTables, 'transactions'>, atMs: number) {
  const mayHaveSaved = set.or([set('saved_card', 'is not', null), set('open', '=', 1)])
  return set
    .case()
    .when(set('payment_type', '=', 'credit-card').and(mayHaveSaved))
    .then(set.val(atMs))
    .else(set.ref('activate_at'))
    .end()
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

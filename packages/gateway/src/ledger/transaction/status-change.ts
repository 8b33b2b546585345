// Where statuses of transactions are written: as the table of transitions allows, each change with
// its notification.
import { type Connection, type Database, prepare } from '@cofre/sql'
import type { ExpressionBuilder } from 'kysely'
import { NO_PURCHASE } from '../../model/purchase/purchase-rules.js'
import { PAID_STATUSES, type Transaction } from '../../model/transaction/transaction.js'
import { jsonText } from './transaction-row.js'
import type { Settlement, StatusMove } from '../../model/transaction/transaction-store.js'
import {
  type GatewayTables,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../database/gateway-tables.js'
import { enqueueNotification, notifyIfOpen } from '../database/outbox.js'
import { lockPayer, uncountMoved, uncountSettled } from './purchase-count.js'
import { mayGoTo } from '../database/transition.js'

/**
 * Moves a transaction to a status it may go to, puts the notification of it into the outbox, and
 * notes that a card waits for its activation; else undefined.
 */
export async function changeStatus(
  trx: Connection<GatewayTables>,
  code: number,
  { to, atMs, activateAtMs = 0 }: StatusMove,
): Promise<TransactionRow | undefined> {
  const row = await trx
    .updateTable('transactions')
    .set((set) => ({
      status: to,
      open: 0,
      status_changed_at: atMs,
      ...(to === 'COMPLETE' && { paid_at: atMs, activate_at: activation(set, activateAtMs) }),
    }))
    .where('code', '=', code)
    .where(mayGoTo(to))
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined) await Promise.all([uncountMoved(trx, row, to), notifyOfStatus(trx, row)])
  return row
}

/**
 * For cards that were saved, or whose answer got lost: then the vault alone knows. Columns are as
 * they were before the change.
 */
function activation(set: ExpressionBuilder<GatewayTables, 'transactions'>, atMs: number) {
  const mayHaveSaved = set.or([set('saved_card', 'is not', null), set('open', '=', 1)])
  return set
    .case()
    .when(set('payment_type', '=', 'credit-card').and(mayHaveSaved))
    .then(set.val(atMs))
    .else(set.ref('activate_at'))
    .end()
}

/**
 * Puts the notification of a transaction's status into the outbox. The caller has changed or locked
 * its row.
 */
export async function notifyOfStatus(
  trx: Connection<GatewayTables>,
  row: TransactionRow,
): Promise<void> {
  await enqueueNotification(trx, {
    transactionCode: row.code,
    merchantId: row.merchant_id,
    url: row.notification_url,
    status: row.status,
    atMs: row.status_changed_at,
  })
}

type Settled = Pick<
  TransactionRow,
  | 'code'
  | 'status'
  | 'open'
  | 'sub_type'
  | 'saved_card'
  | 'card_bin'
  | 'card_last_four'
  | 'payment_details'
  | 'expires_at'
  | 'paid_at'
  | 'status_changed_at'
>

const settleOpen = prepare((db: Connection<GatewayTables>, { code, status, ...columns }: Settled) =>
  db
    .updateTable('transactions')
    .set((set) => ({
      ...columns,
      status: set.case().when(mayGoTo(status)).then(status).else(set.ref('status')).end(),
      status_changed_at: set
        .case()
        .when(mayGoTo(status))
        .then(columns.status_changed_at)
        .else(set.ref('status_changed_at'))
        .end(),
      first_status: set.fn.coalesce('first_status', set.val(status)),
      // What the payment method does not say stays as it is.
      sub_type: set.fn.coalesce(set.val(columns.sub_type), 'sub_type'),
      paid_at: set.fn.coalesce(set.val(columns.paid_at), 'paid_at'),
    }))
    .where('code', '=', code)
    .where('open', '=', 1)
    .returning(TRANSACTION_COLUMNS),
)

/**
 * Notes what the payment method answered to an open intent, which goes to the status of the answer
 * and notifies of it, unless it may not go there. Undefined when it is not open any more.
 */
export async function settleOpenIntent(
  database: Database<GatewayTables>,
  intent: Transaction,
  settlement: Settlement,
): Promise<TransactionRow | undefined> {
  const { code: transactionCode, merchantId, notificationUrl: url } = intent
  const { status, atMs, notifyAtMs = atMs } = settlement
  const isPurchaseOver = NO_PURCHASE.includes(status)
  const { settled } = await database.commit({
    ...(isPurchaseOver && { payer: lockPayer(intent) }),
    // A waiting transaction has not changed since its creation was answered.
    ...(status !== 'PENDING' &&
      notifyIfOpen({ transactionCode, merchantId, url, status, atMs, notifyAtMs })),
    ...(isPurchaseOver && { uncounted: uncountSettled(intent, status) }),
    settled: settleOpen(settledColumns(transactionCode, settlement)),
  })
  return settled.rows[0]
}

function settledColumns(code: number, settlement: Settlement): Settled {
  const { status, atMs } = settlement
  return {
    code,
    status,
    open: Number(settlement.open),
    sub_type: settlement.subType ?? null,
    saved_card: jsonText(settlement.savedCard),
    card_bin: settlement.cardBin ?? null,
    card_last_four: settlement.cardLastFour ?? null,
    payment_details: jsonText(settlement.paymentDetails),
    expires_at: settlement.expiresAtMs ?? null,
    status_changed_at: atMs,
    paid_at: PAID_STATUSES.includes(status) ? atMs : null,
  }
}

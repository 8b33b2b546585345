// Writes transactions' statuses as the table of transitions allows, each with its notification.
import type { MedNature } from '@cofre/contracts'
import { CARD_TYPE } from '@cofre/contracts'
import { type Connection, type Database, prepare } from '@cofre/sql'
import type { ExpressionBuilder } from 'kysely'
import { NO_PURCHASE } from '../../model/purchase/purchase-rules.js'
import {
  PAID_STATUSES,
  type MethodAnswer,
  type StatusMove,
  type Transaction,
  type TransactionCode,
} from '../../model/transaction/transaction.js'
import {
  type GatewayTables,
  type TransactionRow,
  storedOutcome,
  storedTransaction,
} from '../database/gateway-tables.js'
import { authorizingOpen } from '../capture/capture-row-sql.js'
import { enqueueing, notifyIfOpen } from '../database/outbox.js'
import { countDecline } from './decline-limit.js'
import { changing } from './payment-changed.js'
import type { PaymentNews } from './payment-subscriber.js'
import { lockPayer, uncountMoved, uncountSettled } from './purchase-limit.js'
import { isAuthorizedRow, mayGoTo, mayStepBack } from '../database/transition.js'

/**
 * Moves a transaction to a status it may go to, and adds the notification to the outbox. Also
 * records that a card awaits its activation. Undefined if it may not go there: an authorized one
 * goes only where its capture ends.
 */
export async function changeStatus(
  trx: Connection<GatewayTables>,
  code: number,
  move: StatusMove,
): Promise<Transaction | undefined> {
  const { to, atMs, paidAtMs = atMs, activateAtMs = 0, by, capture, refundNature } = move
  const isPaid = to === 'COMPLETE' && by === undefined
  const row = await trx
    .updateTable('transactions')
    .set((set) => ({
      status: to,
      open: 0,
      status_changed_at: atMs,
      ...(isPaid && { paid_at: paidAtMs, activate_at: activation(set, activateAtMs) }),
      ...(capture !== undefined && storedTransaction.partOf({ capture })),
    }))
    .where('code', '=', code)
    .where(by === undefined ? mayGoTo(to) : mayStepBack(to, by))
    .where((of) => (capture === undefined ? of.not(isAuthorizedRow()) : isAuthorizedRow()))
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const moved = storedTransaction.read(row)
  const news = { kind: 'moved', transaction: moved, by, dueAtMs: atMs, isIfOpen: false } as const
  await trx.runInOrder({ ...uncountMoved(moved), ...notifying(trx, row, { refundNature, news }) })
  return moved
}

/**
 * For cards that were saved, or whose answer was lost: then only the vault knows. The columns have
 * their values from before the change.
 */
function activation(set: ExpressionBuilder<GatewayTables, 'transactions'>, atMs: number) {
  const mayHaveSaved = set.or([set('saved_card', 'is not', null), set('open', '=', 1)])
  return set
    .case()
    .when(set('payment_type', '=', CARD_TYPE).and(mayHaveSaved))
    .then(set.val(atMs))
    .else(set.ref('activate_at'))
    .end()
}

/**
 * Adds the notification of a transaction's status to the outbox, unless it is an example. The
 * caller has changed or locked its row.
 */
export async function notifyOfStatus(
  trx: Connection<GatewayTables>,
  row: TransactionRow,
): Promise<void> {
  await trx.runInOrder(notifying(trx, row))
}

/**
 * The statements that add the notification of a status to the outbox, unless it is an example. They
 * also leave a row of the change for each follower.
 */
function notifying(
  trx: Connection<GatewayTables>,
  row: TransactionRow,
  { refundNature, news }: NotifiedMove = {},
) {
  const { code, example } = row
  if (example !== null) return changing(trx, { code, isFoundAnyway: false })
  return {
    ...enqueueing({
      transaction_code: code,
      merchant_id: row.merchant_id,
      status: row.status,
      refund_id: null,
      refund_nature: refundNature ?? null,
      url: row.notification_url,
      created_at: row.status_changed_at,
      next_attempt_at: row.status_changed_at,
    }),
    ...changing(trx, { code, isFoundAnyway: true, ...(news !== undefined && { news }) }),
  }
}

interface NotifiedMove {
  readonly refundNature?: MedNature | undefined
  /** Absent if the status has not changed. */
  readonly news?: PaymentNews
}

type Settled = ReturnType<typeof settledRow>

const settleOpen = prepare((db: Connection<GatewayTables>, row: Settled) =>
  settling(db, row).returning(storedOutcome.columns),
)

const settleOpenUnknown = prepare((db: Connection<GatewayTables>, row: Settled) =>
  settling(db, row).returning(storedTransaction.columns),
)

function settling(db: Connection<GatewayTables>, { code, status, ...columns }: Settled) {
  return db
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
      // Fields that the payment method does not report stay as they are.
      sub_type: set.fn.coalesce(set.val(columns.sub_type), 'sub_type'),
      paid_at: set.fn.coalesce(set.val(columns.paid_at), 'paid_at'),
    }))
    .where('code', '=', code)
    .where('open', '=', 1)
}

/**
 * Records the payment method's answer to an open intent. The intent goes to the answer's status and
 * notifies of it, unless it may not go there. If it is no longer open, its first record stays.
 */
export async function settleOpenIntent(
  database: Database<GatewayTables>,
  intent: Transaction,
  settlement: MethodAnswer,
): Promise<Transaction> {
  const { code, merchantId, notificationUrl: url } = intent
  const { status, atMs, notifyAtMs = atMs } = settlement
  const isPurchaseOver = NO_PURCHASE.includes(status)
  const fields = settledFields(settlement)
  const { settled } = await database.commit({
    ...(isPurchaseOver && { payer: lockPayer(intent) }),
    // A waiting transaction has not changed since the response to its creation.
    ...(status !== 'PENDING' &&
      intent.example === undefined &&
      notifyIfOpen({
        transaction_code: code,
        merchant_id: merchantId,
        refund_id: null,
        refund_nature: null,
        status,
        url,
        created_at: atMs,
        next_attempt_at: notifyAtMs,
      })),
    ...(settlement.capture !== undefined && authorizingOpen(intent, settlement.capture)),
    ...(isPurchaseOver && { uncounted: uncountSettled(intent, status) }),
    ...(isDeclined(intent, settlement) && { declined: countDecline(intent, settlement) }),
    // A follower that reads new payments reads an open one again. An authorized one may be older,
    // and has no notification. What it leaves depends on the transaction as it was.
    ...changing(database.reader, {
      code,
      isFoundAnyway: settlement.capture === undefined,
      ...settledNews(intent, settlement),
    }),
    settled: settleOpen(settledRow(code, fields)),
  })
  const [outcome] = settled.rows
  if (outcome !== undefined) return { ...intent, ...fields, ...storedOutcome.read(outcome) }
  const row = await database.reader
    .selectFrom('transactions')
    .selectAll()
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  return storedTransaction.read(row)
}

/** A transaction that waits for its payer has not changed since the response to its creation. */
function settledNews(
  intent: Transaction,
  settlement: MethodAnswer,
): { readonly news?: PaymentNews } {
  const { status, atMs, notifyAtMs: dueAtMs = atMs } = settlement
  const isAuthorized = settlement.capture !== undefined
  if ((status === 'PENDING' && !isAuthorized) || intent.example !== undefined) return {}
  const { subType, paymentDetails, ...fields } = settledFields(settlement)
  const transaction = {
    ...intent,
    ...fields,
    subType: subType ?? intent.subType,
    paymentDetails: paymentDetails ?? intent.paymentDetails,
  }
  const kind = isAuthorized ? 'authorized' : 'moved'
  return { news: { kind, transaction, dueAtMs, isIfOpen: true } }
}

/** True if a card was declined; an example charges no card. */
function isDeclined({ example }: Transaction, { status, cardBin }: MethodAnswer): boolean {
  return status === 'CANCELLED' && cardBin !== undefined && example === undefined
}

/**
 * Records that a payer can pay, in a unit of work that has locked the transaction. It sends no
 * notification: the creation's response reports that.
 */
export async function settleWaiting(
  trx: Connection<GatewayTables>,
  code: TransactionCode,
  settlement: Omit<MethodAnswer, 'status' | 'open'>,
): Promise<Transaction | undefined> {
  const fields = settledFields({ ...settlement, status: 'PENDING', open: false })
  const [row] = (await trx.run(settleOpenUnknown(settledRow(code, fields)))).rows
  return row && storedTransaction.read(row)
}

function settledRow(code: TransactionCode, fields: ReturnType<typeof settledFields>) {
  return storedTransaction.partOf({ code, ...fields })
}

function settledFields(settlement: MethodAnswer) {
  const { status, open, atMs } = settlement
  return {
    status,
    open,
    subType: settlement.subType,
    savedCard: settlement.savedCard,
    cardBin: settlement.cardBin,
    cardLastFour: settlement.cardLastFour,
    paymentDetails: settlement.paymentDetails,
    expiresAtMs: settlement.expiresAtMs,
    capture: settlement.capture,
    statusChangedAtMs: atMs,
    paidAtMs: PAID_STATUSES.includes(status) ? atMs : undefined,
  }
}

import type { Connection, Database } from '@cofre/sql'
import { claim, isElsewhere, readEach } from '@cofre/work'
import { sql } from 'kysely'
import {
  type CaptureOrder,
  type JudgedEnd,
  type PendingCapture,
  type WantedEnd,
  judgeEnd,
  orderOf,
} from '../../model/card/capture-order.js'
import { REFUND_PAUSE_MAX_MS, refundPauseMs } from '../../model/refund/refund.js'
import { isAuthorized } from '../../model/transaction/capture.js'
import type { Transaction, TransactionCode } from '../../model/transaction/transaction.js'
import { type CaptureRow, storedCapture } from '../database/card-tables.js'
import { type GatewayTables, storedTransaction } from '../database/gateway-tables.js'
import { lockedRow } from '../database/transition.js'
import type { InLane } from '../transaction/charge-account-sql.js'
import { type CaptureEffect, type CaptureEnd, endAuthorized } from './capture-end-sql.js'
import { paymentChanged } from '../transaction/payment-changed.js'
import {
  type RefusedOrder,
  deleteCapture,
  endOrder,
  endReminder,
  findOrder,
} from './capture-row-sql.js'

type Db = Connection<GatewayTables>

/** An order that a worker carries out. */
export interface ClaimedOrder extends Pick<PendingCapture, 'code' | 'merchantId'> {
  readonly order: CaptureOrder
}

/** A worker's claim of authorized payments. */
export interface CaptureClaim {
  readonly limit: number
  /** Stores whose acquirer is already waited for; their payments are not claimed. */
  readonly busy?: readonly string[]
  /** Called for a row that cannot be read. */
  readonly unreadable: (error: unknown, code: number) => void
}

export function createSqlCaptureStore(database: Database<GatewayTables>) {
  return {
    /**
     * Commits an order to end an authorized payment, unless another one came first. The same order
     * again gets the first one.
     * @param nextAskAtMs - When a worker asks the vault, by the machine's clock.
     */
    order: (code: TransactionCode, wanted: WantedEnd, nextAskAtMs: number) =>
      database.transact((trx) => order(trx, code, { wanted, nextAskAtMs })),

    /** Commits the end of an authorized payment. */
    end: (code: TransactionCode, end: CaptureEnd) =>
      database.transact(async (trx): Promise<CaptureEffect> => {
        const transaction = await lockedTransaction(trx, code)
        if (transaction === undefined) return { isFit: false, outcome: undefined }
        return await endAuthorized(trx, transaction, end)
      }),

    /**
     * Commits that the acquirer refused an order: the payment stays authorized, and another order
     * may follow. False if the refusal was known.
     */
    refuse: (code: TransactionCode, refused: RefusedOrder) =>
      database.transact((trx) => endOrder(trx, code, refused)),

    /**
     * Claims orders whose vault is to be asked, each for exactly one caller until its lease ends.
     * Each claim makes the next pause longer. The time is the machine's.
     */
    claimOrders: (machineNowMs: number, wanted: CaptureClaim) =>
      claimOrders(database, machineNowMs, wanted),

    /**
     * Claims payments without an order on which the rule of their store acts, each for exactly one
     * caller for a pause. The time is the environment's.
     */
    claimUncaptured: (nowMs: number, pauseMs: number, wanted: CaptureClaim) =>
      claimWithoutOrder(database, 'due_at', { nowMs, pauseMs, wanted }),

    /** Claims payments without an order of which their store is to be reminded, likewise. */
    claimReminders: (nowMs: number, pauseMs: number, wanted: CaptureClaim) =>
      claimWithoutOrder(database, 'remind_at', { nowMs, pauseMs, wanted }),

    /** Reminds a store of an authorized payment, at most once. */
    remind: (code: TransactionCode, atMs: number) =>
      database.transact((trx) => remind(trx, code, atMs)),
  }
}

interface Ordering {
  readonly wanted: WantedEnd
  readonly nextAskAtMs: number
}

async function order(
  trx: Db,
  code: TransactionCode,
  { wanted, nextAskAtMs }: Ordering,
): Promise<JudgedEnd> {
  const transaction = await lockedTransaction(trx, code)
  if (transaction === undefined) return { kind: 'not-authorized' }
  const standing = await findOrder(trx, code)
  const judged = judgeEnd(transaction, standing, wanted)
  if (judged.kind === 'ordered' && standing === undefined)
    await commitOrder(trx, code, { order: judged.order, nextAskAtMs })
  // A row that a restored backup has left.
  if (!isAuthorized(transaction)) await deleteCapture(trx, code)
  return judged
}

async function commitOrder(
  trx: Db,
  code: TransactionCode,
  { order, nextAskAtMs }: { readonly order: CaptureOrder; readonly nextAskAtMs: number },
): Promise<void> {
  const { operation, amountMinor, chargedMinor, orderedBy, orderedAtMs } = order
  await trx
    .updateTable('captures')
    .set({
      operation,
      amount: amountMinor,
      charged: chargedMinor,
      ordered_by: orderedBy,
      ordered_at: orderedAtMs,
      next_ask_at: nextAskAtMs,
      asks: 0,
    })
    .where('transaction_code', '=', code)
    .execute()
}

async function lockedTransaction(trx: Db, code: number): Promise<Transaction | undefined> {
  const row = await lockedRow(trx, code)
  return row && storedTransaction.read(row)
}

async function claimOrders(
  database: Database<GatewayTables>,
  machineNowMs: number,
  { busy = [], limit, unreadable }: CaptureClaim,
): Promise<readonly InLane<ClaimedOrder>[]> {
  const lane = sql.ref<string>('merchant_id')
  const rows = await claim(database, {
    table: 'captures',
    key: ['transaction_code'],
    rows: (db) =>
      db
        .selectFrom('captures')
        .selectAll()
        // The condition of the partial index, so that PostgreSQL uses it.
        .where('next_ask_at', 'is not', null)
        .where(isElsewhere(lane, busy)),
    due: { at: 'next_ask_at', longestMs: REFUND_PAUSE_MAX_MS, nowMs: machineNowMs, limit },
    take: ({ asks }) => ({ asks: asks + 1, next_ask_at: machineNowMs + refundPauseMs(asks) }),
  })
  return readClaimed(rows, unreadable).flatMap((pending) => {
    const order = orderOf(pending)
    const { code, merchantId } = pending
    return order === undefined ? [] : [{ code, merchantId, order, lane: merchantId }]
  })
}

interface WithoutOrder {
  readonly nowMs: number
  readonly pauseMs: number
  readonly wanted: CaptureClaim
}

async function claimWithoutOrder(
  database: Database<GatewayTables>,
  at: 'due_at' | 'remind_at',
  { nowMs, pauseMs, wanted: { limit, unreadable } }: WithoutOrder,
): Promise<readonly PendingCapture[]> {
  const rows = await claim(database, {
    table: 'captures',
    key: ['transaction_code'],
    rows: (db) =>
      db
        .selectFrom('captures')
        .selectAll()
        .where('operation', 'is', null)
        // The condition of the partial index of reminders.
        .where(at, 'is not', null),
    due: { at, nowMs, limit },
    take: () => ({ [at]: nowMs + pauseMs }),
  })
  return readClaimed(rows, unreadable)
}

function readClaimed(
  rows: readonly CaptureRow[],
  unreadable: CaptureClaim['unreadable'],
): readonly PendingCapture[] {
  return readEach(rows, storedCapture.read, (error, row) => {
    unreadable(error, row.transaction_code)
  })
}

async function remind(trx: Db, code: TransactionCode, atMs: number): Promise<void> {
  const transaction = await lockedTransaction(trx, code)
  if (transaction === undefined || !isAuthorized(transaction)) return
  if (!(await endReminder(trx, code))) return
  const news = { kind: 'capture-due', transaction, dueAtMs: atMs } as const
  // The payment itself has not changed.
  await paymentChanged(trx, { code, isFoundAnyway: true, news })
}

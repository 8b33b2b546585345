// The rows of authorized payments: each from its authorization to its end.
import { type Connection, type Statement, prepare } from '@cofre/sql'
import {
  type CaptureOperation,
  type CaptureOrder,
  orderOf,
} from '../../model/card/capture-order.js'
import { type Capture, reminderAtMs } from '../../model/transaction/capture.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import { storedCapture } from '../database/card-tables.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { lockTransaction } from '../database/transition.js'

type Db = Connection<GatewayTables>

interface NewRow {
  readonly code: number
  readonly due_at: number
  readonly remind_at: number
}

const insertFor = (db: Db, { code, due_at, remind_at }: NewRow, open: 0 | 1) =>
  db
    .insertInto('captures')
    .columns(['transaction_code', 'merchant_id', 'due_at', 'remind_at', 'asks'])
    .expression((of) =>
      of
        .selectFrom('transactions')
        .select((row) => [
          'code as transaction_code',
          'merchant_id',
          row.val(due_at).as('due_at'),
          row.val(remind_at).as('remind_at'),
          row.lit(0).as('asks'),
        ])
        .where('code', '=', code)
        .where('open', '=', open),
    )
    .onConflict((conflict) => conflict.doNothing())

const insertIfOpen = prepare((db: Db, row: NewRow) => insertFor(db, row, 1))

const rowOf = (code: number, capture: Capture): NewRow => ({
  code,
  due_at: capture.beforeMs,
  remind_at: reminderAtMs(capture),
})

/** The first statements that settle an open intent as authorized. */
export function authorizingOpen(
  { code }: Transaction,
  capture: Capture,
): Readonly<Record<string, Statement>> {
  return {
    locked: lockTransaction({ code }),
    authorized: insertIfOpen(rowOf(code, capture)),
  }
}

/** The caller has locked the transaction, which is not open, and makes it authorized. */
export async function insertCapture(
  trx: Db,
  { code }: Transaction,
  capture: Capture,
): Promise<void> {
  await insertFor(trx, rowOf(code, capture), 0).execute()
}

/** The order of an authorized payment. The caller has locked the transaction. */
export async function findOrder(trx: Db, code: number): Promise<CaptureOrder | undefined> {
  const row = await trx
    .selectFrom('captures')
    .select(storedCapture.columns)
    .where('transaction_code', '=', code)
    .executeTakeFirst()
  return orderOf(row && storedCapture.read(row))
}

/** False if the store was reminded, or if an order ends the payment. */
export async function endReminder(trx: Db, code: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('captures')
    .set({ remind_at: null })
    .where('transaction_code', '=', code)
    .where('operation', 'is', null)
    .where('remind_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The payment is no longer authorized. */
export async function deleteCapture(trx: Db, code: number): Promise<void> {
  await trx.deleteFrom('captures').where('transaction_code', '=', code).execute()
}

const NO_ORDER = {
  operation: null,
  amount: null,
  charged: null,
  ordered_by: null,
  ordered_at: null,
  next_ask_at: null,
  asks: 0,
} as const

/** An order that the acquirer refused. */
export interface RefusedOrder extends Pick<CaptureOrder, 'operation' | 'orderedAtMs'> {
  /** When the store's rule acts next, if that changes; by the environment's clock. */
  readonly dueAtMs?: number | undefined
}

/** Ends an order that was refused: another one may follow. False if there is no such order. */
export async function endOrder(
  trx: Db,
  code: number,
  { dueAtMs, orderedAtMs, operation }: RefusedOrder,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('captures')
    .set({ ...NO_ORDER, ...(dueAtMs !== undefined && { due_at: dueAtMs }) })
    .where('transaction_code', '=', code)
    .where('operation', '=', operation)
    .where('ordered_at', '=', orderedAtMs)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The refusal of an order, as the vault reports it by itself. */
interface LateRefusal {
  readonly after: CaptureOperation
  /** By the machine's clock. */
  readonly atMs: number
}

/** A later order stays: if it was refused too, the vault answers so. */
export async function endOrderBefore(
  trx: Db,
  code: number,
  { after, atMs }: LateRefusal,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('captures')
    .set(NO_ORDER)
    .where('transaction_code', '=', code)
    .where('operation', '=', after)
    .where('ordered_at', '<=', atMs)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

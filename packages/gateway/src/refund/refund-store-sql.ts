import type { ErrorName } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { Kysely } from 'kysely'
import type { GatewayTables } from '../database/gateway-tables.js'
import { enqueueNotification } from '../database/outbox.js'
import { changeStatus } from '../database/status-change.js'
import { type Refund, type RefundId, type RefundOutcome, refundPauseMs } from './refund.js'
import { refundOf, rowOf } from './refund-row.js'
import type { RefundClaim, RefundStore } from './refund-store.js'

export function createSqlRefundStore(database: Database<GatewayTables>): RefundStore {
  return {
    insert: (refund, judge) =>
      database.transact(async (unit) => {
        // One refund of a transaction at a time, so that each sees the sum of those before it.
        await unit
          .selectFrom('transactions')
          .select('code')
          .where('code', '=', refund.transactionCode)
          .$if(database.dialect.locksRows, (query) => query.forUpdate())
          .executeTakeFirst()
        const before = await unit
          .selectFrom('refunds')
          .select(['status', 'amount'])
          .where('transaction_code', '=', refund.transactionCode)
          .where('status', '!=', 'REJECTED')
          .execute()
        if (before.some(({ status }) => status === 'PROCESSING')) return 'refund_already_requested'
        const objection = judge(before.reduce((sum, { amount }) => sum + amount, 0))
        return objection ?? (await insertRefund(unit, refund))
      }),

    claimProcessing: (claim) =>
      database.transact((unit) => claimProcessing(unit, claim, database.dialect.locksRows)),

    finish: (id, outcome, atMs) =>
      database.transact(async (unit) => {
        await lockTransactionOf(unit, id, database.dialect.locksRows)
        return await finish(unit, { id, outcome, atMs })
      }),

    async findOf(codes) {
      const rows =
        codes.length === 0
          ? []
          : await database.reader
              .selectFrom('refunds')
              .selectAll()
              .where('transaction_code', 'in', codes)
              .orderBy('requested_at')
              .orderBy('id')
              .execute()
      return Map.groupBy(rows.map(refundOf), ({ transactionCode }) => transactionCode)
    },
  }
}

async function insertRefund(
  unit: Kysely<GatewayTables>,
  refund: Refund,
): Promise<'inserted' | 'id_taken' | ErrorName> {
  const { numInsertedOrUpdatedRows } = await unit
    .insertInto('refunds')
    .values(rowOf(refund))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return 'inserted'
  // Either the number is taken, or a refund that runs at the same moment was first.
  const taken = await unit
    .selectFrom('refunds')
    .select('id')
    .where('id', '=', refund.id)
    .executeTakeFirst()
  return taken === undefined ? 'refund_already_requested' : 'id_taken'
}

async function claimProcessing(
  unit: Kysely<GatewayTables>,
  { machineNowMs, limit }: RefundClaim,
  locksRows: boolean,
): Promise<Refund[]> {
  const due = await unit
    .selectFrom('refunds')
    .select(['id', 'asks'])
    .where('status', '=', 'PROCESSING')
    .where('next_ask_at', '<=', machineNowMs)
    .orderBy('next_ask_at')
    .limit(limit)
    .$if(locksRows, (query) => query.forUpdate().skipLocked())
    .execute()
  const claimed: Refund[] = []
  for (const { id, asks } of due) {
    const row = await unit
      .updateTable('refunds')
      .set({ asks: asks + 1, next_ask_at: machineNowMs + refundPauseMs(asks) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    claimed.push(refundOf(row))
  }
  return claimed
}

/** Transaction first, then refund: the order of every unit that changes both, so that none waits for another in a ring. */
async function lockTransactionOf(
  unit: Kysely<GatewayTables>,
  id: RefundId,
  locksRows: boolean,
): Promise<void> {
  if (!locksRows) return
  await unit
    .selectFrom('transactions')
    .select('code')
    .where('code', '=', (select) =>
      select.selectFrom('refunds').select('transaction_code').where('id', '=', id),
    )
    .forUpdate()
    .execute()
}

async function finish(
  unit: Kysely<GatewayTables>,
  {
    id,
    outcome,
    atMs,
  }: { readonly id: RefundId; readonly outcome: RefundOutcome; readonly atMs: number },
): Promise<boolean> {
  const refund = await unit
    .updateTable('refunds')
    .set({ status: outcome, processed_at: atMs })
    .where('id', '=', id)
    .where('status', '=', 'PROCESSING')
    .returningAll()
    .executeTakeFirst()
  if (refund === undefined) return false
  const { transaction_code: code } = refund
  if (outcome === 'PROCESSED') await changeStatus(unit, code, { to: 'REFUNDED', atMs })
  const { status } = await unit
    .selectFrom('transactions')
    .select('status')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  await enqueueNotification(unit, {
    transactionCode: code,
    merchantId: refund.merchant_id,
    url: refund.notify_url,
    status,
    refundId: id,
    atMs,
  })
  return true
}

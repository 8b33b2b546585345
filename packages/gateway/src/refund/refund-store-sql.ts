import { type ErrorName, minorUnits } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { Kysely } from 'kysely'
import type { GatewayTables, RefundRow } from '../database/gateway-tables.js'
import type { TransactionCode } from '../transaction/transaction-code.js'
import type { Refund, RefundId } from './refund.js'
import type { RefundStore } from './refund-store.js'

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

    async findOf(codes) {
      const rows =
        codes.length === 0
          ? []
          : await database.reader
              .selectFrom('refunds')
              .selectAll()
              .where('transaction_code', 'in', codes)
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

function rowOf(refund: Refund): RefundRow {
  return {
    id: refund.id,
    transaction_code: refund.transactionCode,
    merchant_id: refund.merchantId,
    status: refund.status,
    amount: refund.amountMinor,
    reference: refund.reference ?? null,
    notify_url: refund.notifyUrl,
    requested_at: refund.requestedAtMs,
    processed_at: refund.processedAtMs ?? null,
  }
}

function refundOf(row: RefundRow): Refund {
  return {
    id: row.id as RefundId,
    transactionCode: row.transaction_code as TransactionCode,
    merchantId: row.merchant_id,
    status: row.status,
    amountMinor: minorUnits(row.amount),
    reference: row.reference ?? undefined,
    notifyUrl: row.notify_url,
    requestedAtMs: row.requested_at,
    processedAtMs: row.processed_at ?? undefined,
  }
}

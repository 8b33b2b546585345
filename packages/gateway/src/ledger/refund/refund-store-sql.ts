import { type Connection, type Database, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import { type GatewayTables, REFUND_COLUMNS, type RefundRow } from '../database/gateway-tables.js'
import { isOver } from '../database/lease.js'
import { enqueueNotification } from '../database/outbox.js'
import { changeStatus } from '../transaction/status-change.js'
import { transactionOf } from '../transaction/transaction-row.js'
import {
  REFUND_PAUSE_MAX_MS,
  type Refund,
  type RefundId,
  type RefundOutcome,
  refundPauseMs,
} from '../../model/refund/refund.js'
import { refundOf, rowOf } from './refund-row.js'
import type { RefundClaim, RefundStore } from '../../model/refund/refund-store.js'

const refundsOf = prepare((db: Connection<GatewayTables>, { code }: { readonly code: number }) =>
  oldestFirst(db).where('transaction_code', '=', code),
)

export function createSqlRefundStore(database: Database<GatewayTables>): RefundStore {
  return {
    insert: (refund, judge) => database.transact((trx) => insert(trx, refund, judge)),

    claimProcessing: (claim) => database.transact((trx) => claimProcessing(trx, claim)),

    finish: (id, outcome, atMs) =>
      database.transact(async (trx) => {
        const code = await lockTransactionOf(trx, id)
        return code !== undefined && (await finish(trx, { code, id, outcome, atMs }))
      }),

    async findOf(codes) {
      const rows = await findRows(database.reader, codes)
      return Map.groupBy(rows.map(refundOf), ({ transactionCode }) => transactionCode)
    },
  }
}

async function findRows(
  reader: Connection<GatewayTables>,
  codes: readonly number[],
): Promise<readonly RefundRow[]> {
  const [code] = codes
  if (code === undefined) return []
  if (codes.length === 1) return (await reader.run(refundsOf({ code }))).rows
  return await oldestFirst(reader).where('transaction_code', 'in', codes).execute()
}

function oldestFirst(reader: Connection<GatewayTables>) {
  return reader.selectFrom('refunds').select(REFUND_COLUMNS).orderBy('requested_at').orderBy('id')
}

async function insert(
  trx: Connection<GatewayTables>,
  refund: Refund,
  judge: Parameters<RefundStore['insert']>[1],
): ReturnType<RefundStore['insert']> {
  const code = refund.transactionCode
  // One refund of a transaction at a time, so that each sees those before it.
  const row = await trx
    .selectFrom('transactions')
    .selectAll()
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const refunds = (await trx.run(refundsOf({ code }))).rows.map(refundOf)
  const { reference } = refund
  const earlier = refunds.find((other) => other.reference === reference)
  if (reference !== undefined && earlier !== undefined) return { kind: 'reference_used', earlier }
  const objection = judge({ transaction: transactionOf(row), refunds })
  if (objection !== undefined) return { kind: 'refused', objection }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('refund_keys')
    .values({ id: refund.id, transaction_code: code })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return 'id_taken'
  await trx.insertInto('refunds').values(rowOf(refund)).execute()
  return 'inserted'
}

async function claimProcessing(
  trx: Connection<GatewayTables>,
  { machineNowMs, limit }: RefundClaim,
): Promise<Refund[]> {
  const due = await trx
    .selectFrom('refunds')
    .select(['transaction_code', 'id', 'asks'])
    // Spelt out, as the partial index has it.
    .where('status', '=', sql.lit('PROCESSING'))
    .where(isOver('next_ask_at', machineNowMs, REFUND_PAUSE_MAX_MS))
    .orderBy('next_ask_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  const claimed: Refund[] = []
  for (const { transaction_code: code, id, asks } of due) {
    const row = await trx
      .updateTable('refunds')
      .set({ asks: asks + 1, next_ask_at: machineNowMs + refundPauseMs(asks) })
      .where('transaction_code', '=', code)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    claimed.push(refundOf(row))
  }
  return claimed
}

/**
 * Transaction first, then refund: every unit of work that changes both keeps this order, so that
 * none waits for another in a ring.
 */
async function lockTransactionOf(
  trx: Connection<GatewayTables>,
  id: RefundId,
): Promise<number | undefined> {
  const locked = await trx
    .selectFrom('transactions')
    .select('code')
    .where('code', '=', (keys) =>
      keys.selectFrom('refund_keys').select('transaction_code').where('id', '=', id),
    )
    .forUpdate()
    .executeTakeFirst()
  return locked?.code
}

interface FinishedRefund {
  readonly code: number
  readonly id: RefundId
  readonly outcome: RefundOutcome
  readonly atMs: number
}

async function finish(
  trx: Connection<GatewayTables>,
  { code, id, outcome, atMs }: FinishedRefund,
): Promise<boolean> {
  const refund = await trx
    .updateTable('refunds')
    .set({ status: outcome, processed_at: atMs })
    .where('transaction_code', '=', code)
    .where('id', '=', id)
    .where('status', '=', 'PROCESSING')
    .returningAll()
    .executeTakeFirst()
  if (refund === undefined) return false
  if (outcome === 'PROCESSED') await changeStatus(trx, code, { to: 'REFUNDED', atMs })
  const { status } = await trx
    .selectFrom('transactions')
    .select('status')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  await enqueueNotification(trx, {
    transactionCode: code,
    merchantId: refund.merchant_id,
    url: refund.notify_url,
    status,
    refundId: id,
    atMs,
  })
  return true
}

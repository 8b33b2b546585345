import type { TransactionStatus } from '@cofre/contracts'
import type { Kysely } from 'kysely'
import type { GatewayTables } from './gateway-tables.js'

/** A change that the store is to hear of. */
export interface Change {
  readonly transactionCode: number
  readonly merchantId: string
  readonly url: string
  readonly status: TransactionStatus
  readonly refundId?: number
  readonly atMs: number
}

/**
 * Puts a notification into the outbox, in the unit of work that makes the change. The caller has locked the transaction's
 * row by changing it. One that was acknowledged and only awaited a search makes room for the newer.
 */
export async function enqueueNotification(
  unit: Kysely<GatewayTables>,
  change: Change,
): Promise<void> {
  const { transactionCode, atMs } = change
  await unit
    .updateTable('notifications')
    .set({ done_at: atMs })
    .where('transaction_code', '=', transactionCode)
    .where('acknowledged_at', 'is not', null)
    .where('done_at', 'is', null)
    .execute()
  await unit
    .insertInto('notifications')
    .values((expression) => ({
      transaction_code: transactionCode,
      position: expression
        .selectFrom('notifications')
        .where('transaction_code', '=', transactionCode)
        .select((select) =>
          select(select.fn.coalesce(select.fn.max<number>('position'), select.lit(0)), '+', 1).as(
            'next',
          ),
        ),
      merchant_id: change.merchantId,
      refund_id: change.refundId ?? null,
      status: change.status,
      url: change.url,
      created_at: atMs,
      attempts: 0,
      next_attempt_at: atMs,
      lease_until: null,
      acknowledged_at: null,
      searched_at: null,
      done_at: null,
    }))
    .execute()
}

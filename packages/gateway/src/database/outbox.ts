import type { TransactionStatus } from '@cofre/contracts'
import type { Kysely } from 'kysely'
import type { GatewayTables } from './gateway-tables.js'
import { lockTransaction } from './transaction-lock.js'

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
 * Puts a notification into the outbox, in the unit of work that makes the change. One that was acknowledged and only
 * awaited a search makes room for the newer; behind any other that is unfinished the newer is blocked.
 */
export async function enqueueNotification(
  unit: Kysely<GatewayTables>,
  change: Change,
): Promise<void> {
  const { transactionCode, atMs } = change
  await lockTransaction(unit, transactionCode)
  await unit
    .updateTable('notifications')
    .set({ done_at: atMs })
    .where('transaction_code', '=', transactionCode)
    .where('acknowledged_at', 'is not', null)
    .where('done_at', 'is', null)
    .execute()
  const { last, unfinished } = await unit
    .selectFrom('notifications')
    .select((select) => [
      select.fn.coalesce(select.fn.max<number>('position'), select.lit(0)).as('last'),
      select.fn.countAll<number>().filterWhere('done_at', 'is', null).as('unfinished'),
    ])
    .where('transaction_code', '=', transactionCode)
    .executeTakeFirstOrThrow()
  await unit
    .insertInto('notifications')
    .values({
      transaction_code: transactionCode,
      position: last + 1,
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
      blocked: unfinished > 0 ? 1 : 0,
    })
    .execute()
}

/** Blocks every unfinished notification of a transaction but the first. The caller has locked the transaction. */
export async function blockAllButFirst(unit: Kysely<GatewayTables>, code: number): Promise<void> {
  await unit
    .updateTable('notifications')
    .set((set) => ({
      blocked: set
        .case()
        .when(
          'position',
          '>',
          set
            .selectFrom('notifications as unfinished')
            .select(({ fn }) => fn.min<number>('unfinished.position').as('first'))
            .where('unfinished.transaction_code', '=', code)
            .where('unfinished.done_at', 'is', null),
        )
        .then(set.lit(1))
        .else(set.lit(0))
        .end(),
    }))
    .where('transaction_code', '=', code)
    .where('done_at', 'is', null)
    .execute()
}

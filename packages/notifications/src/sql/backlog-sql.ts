import type { GatewayTables } from '@cofre/gateway/room'
import type { Connection } from '@cofre/sql'
import type { NotificationRefusal, StoreBacklog } from '../model/notifications.js'

/**
 * The backlog of each store. Reads only unfinished notifications, by a partial index, regardless of
 * the total. Times are in epoch milliseconds of the environment's clock.
 */
export async function backlog(reader: Connection<GatewayTables>): Promise<readonly StoreBacklog[]> {
  const rows = await reader
    .selectFrom('notifications')
    .leftJoin('acknowledging_stores', (join) =>
      join.onRef('acknowledging_stores.merchant_id', '=', 'notifications.merchant_id'),
    )
    .leftJoin('failing_lanes', (join) =>
      join.onRef('failing_lanes.lane', '=', 'notifications.lane'),
    )
    .select((select) => [
      'notifications.merchant_id',
      select.fn.countAll<number>().as('waiting'),
      select.fn.min<number>('created_at').as('oldest'),
      select.fn
        .min<number | null>('created_at')
        .filterWhere('attempts', '>', 0)
        .as('refused_since'),
      select.fn
        .min<number | null>('created_at')
        .filterWhere('attempts', '=', 0)
        .filterWhere('blocked', '=', 0)
        .as('unsent_since'),
      select.fn.count<number>('acknowledging_stores.merchant_id').as('acknowledging'),
      select.fn.count<number>('failing_lanes.probe_at').as('probed'),
    ])
    .where('done_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .groupBy('notifications.merchant_id')
    .orderBy('notifications.merchant_id')
    .execute()
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    waiting: row.waiting,
    oldestMs: row.oldest,
    refusedSinceMs: row.refused_since ?? undefined,
    unsentSinceMs: row.unsent_since ?? undefined,
    isFailing: row.refused_since !== null && row.acknowledging === 0,
    isProbed: row.probed > 0,
  }))
}

export async function lastRefusal(
  reader: Connection<GatewayTables>,
  merchantId: string,
): Promise<NotificationRefusal | undefined> {
  const row = await reader
    .selectFrom('notifications')
    .innerJoin('notification_attempts', (join) =>
      join
        .onRef('notification_attempts.transaction_code', '=', 'notifications.transaction_code')
        .onRef('notification_attempts.position', '=', 'notifications.position')
        .onRef('notification_attempts.attempt', '=', 'notifications.attempts'),
    )
    .select(['at', 'status_code', 'error'])
    .where('merchant_id', '=', merchantId)
    .where('done_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    atMs: row.at,
    statusCode: row.status_code ?? undefined,
    error: row.error ?? undefined,
  }
}

// An endpoint gets the events of a payment or card in order: those behind an open one are blocked.
import { type Connection, prepare } from '@cofre/sql'
import type { GatewayTables } from '@cofre/gateway/room'
import { sql } from 'kysely'

type Db = Connection<GatewayTables>

/** One where an earlier delivery of the same endpoint and subject is open, else 0. */
const IS_BEHIND = sql<number>`case when exists (select 1 from event_deliveries as earlier
  where earlier.endpoint_code = event_deliveries.endpoint_code
    and earlier.subject = event_deliveries.subject
    and earlier.position < event_deliveries.position and earlier.done_at is null)
  then 1 else 0 end`

export interface DeliveryLine {
  readonly code: string
  readonly subject: string
}

/** After a delivery was opened or has ended: the first open one is due, the others are not. */
export const blockAllButFirst = prepare((db: Db, { code, subject }: DeliveryLine) =>
  db
    .updateTable('event_deliveries')
    .set({ blocked: IS_BEHIND })
    .where('endpoint_code', '=', code)
    .where('subject', '=', subject)
    .where('done_at', 'is', null)
    .where('blocked', '<>', IS_BEHIND),
)

/** After deliveries of a store were deleted. */
export async function unblockFirsts(
  trx: Db,
  storeId: string,
  subjects: readonly string[],
): Promise<void> {
  await trx
    .updateTable('event_deliveries')
    .set({ blocked: 0 })
    .where('endpoint_code', 'in', (of) =>
      of.selectFrom('event_endpoints').select('code').where('merchant_id', '=', storeId),
    )
    .where('subject', 'in', subjects)
    .where('done_at', 'is', null)
    .where('blocked', '=', 1)
    .where(IS_BEHIND, '=', 0)
    .execute()
}

/**
 * Locks open deliveries, so that none ends before another is opened behind it. Of one subject, an
 * earlier one is always locked first.
 */
export async function lockOpen(
  trx: Db,
  codes: readonly string[],
  subjects: readonly string[],
): Promise<readonly DeliveryLine[]> {
  if (codes.length === 0 || subjects.length === 0) return []
  return await trx
    .selectFrom('event_deliveries')
    .select(['endpoint_code as code', 'subject'])
    .where('endpoint_code', 'in', codes)
    .where('subject', 'in', subjects)
    .where('done_at', 'is', null)
    .orderBy('endpoint_code')
    .orderBy('subject')
    .orderBy('position')
    .forUpdate()
    .execute()
}

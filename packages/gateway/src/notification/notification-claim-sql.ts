import type { Database } from '@cofre/sql'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { GatewayTables, NotificationRow } from '../database/gateway-tables.js'
import type { ClaimRequest } from './notification-store.js'

type Unit = Kysely<GatewayTables>
type Key = Pick<NotificationRow, 'transaction_code' | 'position'>

interface StoreWithWork {
  readonly merchantId: string
  /** Places of its share that are free. */
  readonly places: number
}

/** Takes due notifications with a lease: see {@link NotificationStore.claimDue}. */
export async function claimDue(
  database: Database<GatewayTables>,
  request: ClaimRequest,
): Promise<readonly NotificationRow[]> {
  // Most of the time nothing is due: found out without a unit of work.
  const stores = await storesWithWork(database.reader, request)
  const candidates = await dueKeys(database.reader, stores, request)
  if (candidates.length === 0) return []
  return await database.transact((unit) => lease(unit, candidates, request))
}

/**
 * Stores for which something is due and whose share is not used up. Each costs a few probes of an index, however much is
 * due for it. In no order, so that those whose notifications wait for one another never stand before the rest for long.
 */
async function storesWithWork(
  reader: Unit,
  { nowMs, machineNowMs, perMerchant, limit }: ClaimRequest,
): Promise<readonly StoreWithWork[]> {
  const { rows } = await sql<{ id: string; leased: number }>`
    with recursive stores(id) as (
      select min(merchant_id) from notifications where done_at is null
      union all
      select (select min(merchant_id) from notifications where done_at is null and merchant_id > stores.id)
      from stores where stores.id is not null
    ), waiting as (
      select id,
        (select min(next_attempt_at) from notifications where done_at is null and merchant_id = stores.id) as due_at,
        (select count(*) from notifications where lease_until > ${machineNowMs} and merchant_id = stores.id) as leased
      from stores where id is not null
    )
    select id, leased from waiting where due_at <= ${nowMs} and leased < ${perMerchant}
    order by random() limit ${limit}
  `.execute(reader)
  return rows.map(({ id, leased }) => ({ merchantId: id, places: perMerchant - leased }))
}

/** What is due for these stores, in turns: the first of each, then the second of each. */
async function dueKeys(
  reader: Unit,
  stores: readonly StoreWithWork[],
  request: ClaimRequest,
): Promise<readonly Key[]> {
  const [first, ...others] = stores.map((store) => dueOf(reader, store, request))
  if (first === undefined) return []
  return await others
    .reduce((all, next) => all.unionAll(next), first)
    .orderBy('turn')
    .limit(request.limit)
    .execute()
}

function dueOf(
  reader: Unit,
  { merchantId, places }: StoreWithWork,
  { nowMs, machineNowMs }: ClaimRequest,
) {
  const due = reader
    .selectFrom('notifications')
    .select(['transaction_code', 'position', 'next_attempt_at'])
    .where('merchant_id', '=', merchantId)
    .where('next_attempt_at', '<=', nowMs)
    .where('done_at', 'is', null)
    .where(isFree(machineNowMs))
    .where((when) =>
      when.not(
        when.exists(
          when
            .selectFrom('notifications as earlier')
            .select('earlier.position')
            .whereRef('earlier.transaction_code', '=', 'notifications.transaction_code')
            .whereRef('earlier.position', '<', 'notifications.position')
            .where('earlier.done_at', 'is', null),
        ),
      ),
    )
    .orderBy('next_attempt_at')
    .limit(places)
  return reader
    .selectFrom(due.as('due'))
    .select(['transaction_code', 'position'])
    .select(sql<number>`row_number() over (order by next_attempt_at)`.as('turn'))
}

/** Leases those of the candidates that nobody has leased meanwhile. */
async function lease(
  unit: Unit,
  candidates: readonly Key[],
  { nowMs, machineNowMs, leaseMs }: ClaimRequest,
): Promise<NotificationRow[]> {
  const free = unit
    .selectFrom('notifications')
    .select(['transaction_code', 'position'])
    .where((when) =>
      when(
        when.refTuple('transaction_code', 'position'),
        'in',
        candidates.map((key) => when.tuple(key.transaction_code, key.position)),
      ),
    )
    .where('done_at', 'is', null)
    .where('next_attempt_at', '<=', nowMs)
    .where(isFree(machineNowMs))
    .forUpdate()
    .skipLocked()
  return await unit
    .updateTable('notifications')
    .set({ lease_until: machineNowMs + leaseMs })
    .where((when) =>
      when(
        when.refTuple('transaction_code', 'position'),
        'in',
        free.$asTuple('transaction_code', 'position'),
      ),
    )
    .returningAll()
    .execute()
}

function isFree(machineNowMs: number) {
  return (when: ExpressionBuilder<GatewayTables, 'notifications'>) =>
    when.or([when('lease_until', 'is', null), when('lease_until', '<=', machineNowMs)])
}

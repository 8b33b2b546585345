import { type Connection, type Database, prepare } from '@cofre/sql'
import { type ExpressionBuilder, sql } from 'kysely'
import type { ClaimedNotification } from '../../model/notification/notification.js'
import type { StoreShares } from '../../model/notification/store-shares.js'
import { type GatewayTables, storedNotification } from '../database/gateway-tables.js'
import { isOver, isOverBy, leaseHorizonMs } from '../database/lease.js'
import { isUnfinished } from '../database/outbox.js'
import { claimProbes } from './failing-store-sql.js'

type Db = Connection<GatewayTables>

/** A store for which something is due. */
interface StoreWithWork {
  readonly id: string
  /** 1 when it acknowledged the last notification it was sent. */
  readonly acknowledges: number
  /** How many of its notifications are under way. */
  readonly leased: number
  /** How often it was probed; null while it has not failed for long. */
  readonly probes: number | null
  /** How many of all stores that do not acknowledge. */
  readonly leased_of_silent: number
}

interface StoreWithPlaces extends Pick<StoreWithWork, 'id' | 'probes'> {
  /** Places of its share that are free. */
  readonly places: number
}

/** What a worker asks for. */
export interface ClaimRequest {
  /** By the environment's clock, which decides what is due. */
  readonly nowMs: number
  /** By the machine's clock, which decides how long a claim holds. */
  readonly machineNowMs: number
  readonly leaseMs: number
  readonly limit: number
  readonly shares: Omit<StoreShares, 'acknowledged' | 'refused'>
  /** When a store that is probed now is sent the next notification, by the environment's clock. */
  readonly nextProbeAtMs: number
  /**
   * No notification or probe waits longer: one that would was put off before the clock was set
   * back.
   */
  readonly longestPauseMs: number
}

/** Takes due notifications with a lease: see claimDue of the store. */
export async function claimDue(
  database: Database<GatewayTables>,
  request: ClaimRequest,
): Promise<readonly ClaimedNotification[]> {
  // Most of the time nothing is due: found out without a unit of work.
  const stores = withinShares(await storesWithWork(database.reader, request), request)
  if (stores.length === 0) return []
  const probed = stores.filter(({ probes }) => probes !== null).map(({ id }) => id)
  return await database.transact(async (trx) => {
    const probes = await claimProbes(trx, { ...request, merchantIds: probed })
    const mine = stores.filter(({ id }) => !probed.includes(id) || probes.has(id))
    return await lease(trx, mine, request)
  })
}

/**
 * Stores for which something is due: in no order, so that none stands before the rest for long, but
 * in turns of those that acknowledge and those that do not. Each costs a few probes of indexes,
 * however much is due for it.
 */
async function storesWithWork(
  reader: Db,
  { nowMs, machineNowMs, leaseMs, limit, shares, longestPauseMs }: ClaimRequest,
): Promise<readonly StoreWithWork[]> {
  const { rows } = await reader.run(
    findStoresWithWork({
      now: nowMs,
      pause_horizon: leaseHorizonMs(nowMs, longestPauseMs),
      machine_now: machineNowMs,
      lease_horizon: leaseHorizonMs(machineNowMs, leaseMs),
      largest: shares.largest,
      silent: shares.silent,
      limit,
    }),
  )
  return rows
}

interface WorkSearch {
  readonly now: number
  readonly pause_horizon: number
  readonly machine_now: number
  readonly lease_horizon: number
  readonly largest: number
  readonly silent: number
  readonly limit: number
}

const findStoresWithWork = prepare((db: Db, search: WorkSearch) => {
  const { now, pause_horizon, machine_now, lease_horizon, largest, silent, limit } = search
  // Of a store, what is not under way: what is needs no unit of work.
  const free = sql`select position from notifications where merchant_id = stores.id and done_at is null
    and blocked = 0 and (lease_until is null or ${isOverBy('lease_until', machine_now, lease_horizon)})`
  const query = sql<StoreWithWork>`
    with recursive stores(id) as (
      select min(merchant_id) from notifications where done_at is null and blocked = 0
      union all
      select (select min(merchant_id) from notifications
        where done_at is null and blocked = 0 and merchant_id > stores.id)
      from stores where stores.id is not null
    ), under_way as (
      select merchant_id, count(*) as leased from notifications
      where lease_until > ${machine_now} and lease_until <= ${lease_horizon}
      group by merchant_id
    ), due as (
      select id, coalesce((select leased from under_way where merchant_id = id), 0) as leased,
        (select count(*) from acknowledging_stores where merchant_id = id) as acknowledges,
        probe_at, case when probe_at is not null then probes end as probes
      from stores left join failing_stores on failing_stores.merchant_id = id
      where exists (${free} and next_attempt_at <= ${now})
        or exists (${free} and next_attempt_at > ${pause_horizon})
    )
    select id, acknowledges, leased, probes, (
      select cast(coalesce(sum(leased), 0) as integer) from under_way
      where merchant_id not in (select merchant_id from acknowledging_stores)
    ) as leased_of_silent
    from due where acknowledges > 0 and leased < ${largest}
      or acknowledges = 0 and probe_at is null and leased < ${silent}
      or acknowledges = 0 and ${isOverBy('probe_at', now, pause_horizon)} and leased = 0
    order by row_number() over (partition by acknowledges order by random()) limit ${limit}
  `
  return { compile: () => query.compile(db) }
})

/**
 * The free places of each store, as long as those that do not acknowledge stay within what they
 * share.
 */
function withinShares(
  stores: readonly StoreWithWork[],
  { shares }: ClaimRequest,
): StoreWithPlaces[] {
  let leftForSilent = shares.allSilent - (stores[0]?.leased_of_silent ?? 0)
  const withPlaces = stores.map(({ id, acknowledges, leased, probes }) => {
    if (acknowledges > 0) return { id, probes: null, places: shares.of(id) - leased }
    const share = probes === null ? shares.silent : 1
    const places = Math.max(0, Math.min(share - leased, leftForSilent))
    leftForSilent -= places
    return { id, probes, places }
  })
  return withPlaces.filter(({ places }) => places > 0)
}

/**
 * The oldest that are due. A store is probed with the newest and the oldest in turns: neither an
 * old notification that it will never accept nor a new one keeps it failing.
 */
function dueOf(
  db: Db,
  { id, places, probes }: StoreWithPlaces,
  { nowMs, machineNowMs, leaseMs, longestPauseMs }: ClaimRequest,
) {
  const order = probes !== null && probes % 2 === 0 ? 'desc' : 'asc'
  const waiting = db
    .selectFrom('notifications')
    .select(['transaction_code', 'position', 'next_attempt_at'])
    .where('merchant_id', '=', id)
    .where('done_at', 'is', null)
    .where('blocked', '=', 0)
    .where(isFree(machineNowMs, leaseMs))
    .orderBy('next_attempt_at', order)
    .limit(places)
  // Two ranges of an index, of which the second has rows only where the clock was set back.
  const due = waiting.where('next_attempt_at', '<=', nowMs)
  const ahead = waiting.where('next_attempt_at', '>', leaseHorizonMs(nowMs, longestPauseMs))
  const both = db
    .selectFrom(due.as('due'))
    .selectAll()
    .unionAll(db.selectFrom(ahead.as('ahead')).selectAll())
  const inTurn = db
    .selectFrom(both.as('due'))
    .select(['transaction_code', 'position'])
    .select(sql<number>`row_number() over (order by next_attempt_at ${sql.raw(order)})`.as('turn'))
  return db.selectFrom(inTurn.as('in_turn')).selectAll().where('turn', '<=', places)
}

/**
 * Leases what is due for these stores, in turns: the first of each, then the second of each. What
 * another has leased meanwhile is left to it.
 */
async function lease(
  trx: Db,
  stores: readonly StoreWithPlaces[],
  request: ClaimRequest,
): Promise<readonly ClaimedNotification[]> {
  const { nowMs, machineNowMs, leaseMs, longestPauseMs } = request
  const leaseUntilMs = machineNowMs + leaseMs
  const [first, ...others] = stores.map((store) => dueOf(trx, store, request))
  if (first === undefined) return []
  const due = others
    .reduce((all, next) => all.unionAll(next), first)
    .orderBy('turn')
    .limit(request.limit)
  const free = trx
    .selectFrom('notifications')
    .select(['transaction_code', 'position'])
    .where((when) =>
      when(
        when.refTuple('transaction_code', 'position'),
        'in',
        trx
          .selectFrom(due.as('due'))
          .select(['transaction_code', 'position'])
          .$asTuple('transaction_code', 'position'),
      ),
    )
    // Again: of a row that has changed since the statement began, PostgreSQL checks only these.
    .where(isUnfinished)
    .where(isOver('next_attempt_at', nowMs, longestPauseMs))
    .where('blocked', '=', 0)
    .where(isFree(machineNowMs, leaseMs))
    .forUpdate()
    .skipLocked()
  const leased = await trx
    .updateTable('notifications')
    .set({ lease_until: leaseUntilMs })
    .where((when) =>
      when(
        when.refTuple('transaction_code', 'position'),
        'in',
        free.$asTuple('transaction_code', 'position'),
      ),
    )
    .returningAll()
    .execute()
  return leased.map((row) => ({ ...storedNotification.read(row), leaseUntilMs }))
}

function isFree(machineNowMs: number, leaseMs: number) {
  return (when: ExpressionBuilder<GatewayTables, 'notifications'>) =>
    when.or([when('lease_until', 'is', null), isOver('lease_until', machineNowMs, leaseMs)])
}

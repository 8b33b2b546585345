import { type Connection, type Database, prepare } from '@cofre/sql'
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { clockHorizonMs, isPast, isPastBy } from '@cofre/work'
import {
  type GatewayTables,
  KIND_LENGTH,
  type Lane,
  hostOfLane,
  isUnfinished,
  laneOf,
  storedNotification,
} from '@cofre/gateway/room'
import type { ClaimedNotification } from '../model/sending.js'
import type { StoreShares } from '../model/store-shares.js'
import { claimProbes } from './failing-lane-sql.js'
import { assignLanes } from './lane-assignment-sql.js'

type Db = Connection<GatewayTables>

/** A lane with due notifications. */
interface LaneWithWork {
  readonly lane: Lane
  readonly merchant_id: string
  /** 1 if a notification without attempts is due. */
  readonly has_new: number
  /** 1 if a repetition is due, or the lane's probe. */
  readonly has_tried: number
  /** 1 while the lane's notifications are all refused. */
  readonly fails: number
  /** The number of its probes; null unless it has failed for long. */
  readonly probes: number | null
  /** 1 if its store acknowledged the latest notification. */
  readonly acknowledges: number
  /** Notifications in progress: in the lane, to its host, of its store. */
  readonly leased: number
  readonly leased_of_host: number
  readonly leased_of_store: number
  /** Notifications in progress of all stores that do not acknowledge. */
  readonly leased_of_silent: number
}

/** A lane with its free places. */
interface LaneWithPlaces extends LaneWithWork {
  readonly places: number
}

interface HostWithPlaces {
  readonly lanes: readonly LaneWithPlaces[]
  readonly places: number
}

interface StoreWithPlaces {
  readonly hosts: readonly HostWithPlaces[]
  readonly places: number
}

/** A worker's claim. */
export interface ClaimRequest {
  /** By the environment's clock, which decides what is due. */
  readonly nowMs: number
  /** By the machine's clock, which decides when a claim ends. */
  readonly machineNowMs: number
  readonly leaseMs: number
  readonly limit: number
  readonly shares: Omit<StoreShares, 'acknowledged' | 'refused'>
  /** The next repetition in a lane that is probed now, by the environment's clock. */
  readonly nextProbeAtMs: number
  /**
   * The longest pause of a notification or probe: a longer one was set before the clock was set
   * back.
   */
  readonly longestPauseMs: number
}

/** Leases due notifications: see claimDue of the store. */
export async function claimDue(
  database: Database<GatewayTables>,
  request: ClaimRequest,
): Promise<readonly ClaimedNotification[]> {
  await assignLanes(database)
  // Usually nothing is due, which is found out without a unit of work.
  const found = await lanesWithWork(database.reader, request)
  const stores = withinShares(found, request)
  if (stores.length === 0) return []
  const probed = found.filter(({ probes, has_tried }) => probes !== null && has_tried === 1)
  return await database.transact(async (trx) => {
    const lanes = probed.map(({ lane }) => lane)
    const probes = await claimProbes(trx, { ...request, lanes })
    return await lease(trx, { stores, probes }, request)
  })
}

/**
 * Lanes with due notifications, in random order, so that none comes first for long. Lanes of stores
 * that acknowledge and those of other stores take turns. Each lane costs a few index probes,
 * regardless of its due notifications.
 */
async function lanesWithWork(
  reader: Db,
  { nowMs, machineNowMs, leaseMs, limit, shares, longestPauseMs }: ClaimRequest,
): Promise<readonly LaneWithWork[]> {
  const { rows } = await reader.run(
    findLanesWithWork({
      now: nowMs,
      pause_horizon: clockHorizonMs(nowMs, longestPauseMs),
      machine_now: machineNowMs,
      lease_horizon: clockHorizonMs(machineNowMs, leaseMs),
      largest: shares.largest + shares.spare,
      silent: shares.silent + shares.spare,
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

/** As in the index of the lanes. */
const TRIED = sql`(case when attempts = 0 then 0 else 1 end)`

const findLanesWithWork = prepare((db: Db, search: WorkSearch) => {
  const { now, pause_horizon, machine_now, lease_horizon, largest, silent, limit } = search
  const waiting = sql`from notifications where done_at is null and blocked = 0`
  // Only notifications that are not in progress: the others need no unit of work.
  const isDue = (tried: 0 | 1) => {
    const free = sql`select position ${waiting} and lane = lanes.id and ${TRIED} = ${sql.lit(tried)}
      and (lease_until is null or ${isPastBy('lease_until', machine_now, lease_horizon)})`
    return sql`case when exists (${free} and next_attempt_at <= ${now})
      or exists (${free} and next_attempt_at > ${pause_horizon}) then 1 else 0 end`
  }
  const hostOf = (lane: string) =>
    sql`substr(${sql.ref(lane)}, 1, length(${sql.ref(lane)}) - ${sql.lit(KIND_LENGTH)})`
  // `+ 0`: see `OwnSqliteCompiler` of @cofre/sql.
  const query = sql<LaneWithWork>`
    with recursive lanes(id) as (
      select min(lane) ${waiting}
      union all
      select (select min(lane) ${waiting} and lane > lanes.id) from lanes where lanes.id is not null
    ), under_way as (
      select merchant_id, lane, count(*) as leased from notifications
      where lease_until > ${machine_now} and lease_until <= ${lease_horizon}
      group by merchant_id, lane
    ), due as (
      select id as lane, (select merchant_id ${waiting} and lane = lanes.id limit 1) as merchant_id,
        ${isDue(0)} as has_new,
        case when failing_lanes.probe_at is not null and not
          ${isPastBy('probe_at', now, pause_horizon)} then 0 else ${isDue(1)} end as has_tried,
        case when failing_lanes.lane is null then 0 else 1 end as fails,
        case when failing_lanes.probe_at is not null then failing_lanes.probes end as probes
      from lanes left join failing_lanes on failing_lanes.lane = lanes.id
      where lanes.id is not null
    ), counted as (
      select due.*,
        (select count(*) from acknowledging_stores
          where acknowledging_stores.merchant_id = due.merchant_id) as acknowledges,
        coalesce((select sum(leased) from under_way where under_way.lane = due.lane), 0) as leased,
        coalesce((select sum(leased) from under_way
          where ${hostOf('under_way.lane')} = ${hostOf('due.lane')}), 0) as leased_of_host,
        coalesce((select sum(leased) from under_way
          where under_way.merchant_id = due.merchant_id), 0) as leased_of_store
      from due where has_new = 1 or has_tried = 1
    )
    select lane, merchant_id, has_new, has_tried, fails, probes, acknowledges,
      cast(leased as integer) as leased, cast(leased_of_host as integer) as leased_of_host,
      cast(leased_of_store as integer) as leased_of_store, (
        select cast(coalesce(sum(leased), 0) as integer) from under_way
        where merchant_id not in (select merchant_id from acknowledging_stores)
      ) as leased_of_silent
    from counted
    where leased_of_store < case when acknowledges > 0 then cast(${largest} as integer)
      else cast(${silent} as integer) end
    order by row_number() over (partition by acknowledges order by random()) limit ${limit} + 0
  `
  return { compile: () => query.compile(db) }
})

/**
 * The free places of each store; stores that do not acknowledge also share a common limit. One host
 * may take its store's whole share; the spare places are for the other hosts.
 */
function withinShares(
  lanes: readonly LaneWithWork[],
  { shares }: ClaimRequest,
): readonly StoreWithPlaces[] {
  let leftForSilent = shares.allSilent - (lanes[0]?.leased_of_silent ?? 0)
  const stores = [...Map.groupBy(lanes, (lane) => lane.merchant_id)].map(([id, own]) => {
    const acknowledges = own.some((lane) => lane.acknowledges > 0)
    const share = acknowledges ? shares.of(id) : shares.silent
    const hosts = [...Map.groupBy(own, ({ lane }) => hostOfLane(lane)).values()].map((ofHost) =>
      withPlaces(ofHost, share, shares.silent),
    )
    const wanted = hosts.reduce((sum, { places }) => sum + places, 0)
    const leased = own[0]?.leased_of_store ?? 0
    const free = Math.max(0, Math.min(wanted, share + shares.spare - leased))
    if (acknowledges) return { hosts, places: free }
    const places = Math.max(0, Math.min(free, leftForSilent))
    leftForSilent -= places
    return { hosts, places }
  })
  return stores.filter(({ places }) => places > 0)
}

/** A failing lane gets no more places than a failing store. */
function withPlaces(lanes: readonly LaneWithWork[], share: number, silent: number): HostWithPlaces {
  const free = Math.max(0, share - (lanes[0]?.leased_of_host ?? 0))
  const own = lanes.map((lane) => {
    const places = lane.fails === 1 ? Math.max(0, Math.min(silent, share) - lane.leased) : free
    return { ...lane, places: Math.min(places, free) }
  })
  const wanted = own.reduce((sum, { places }) => sum + places, 0)
  return { lanes: own, places: Math.min(free, wanted) }
}

interface Due {
  readonly lane: Lane
  readonly tried: 0 | 1
  readonly places: number
  readonly order: 'asc' | 'desc'
}

/** The due notifications of a lane: either those without attempts, or the others. */
function dueOf(
  db: Db,
  { lane, tried, places, order }: Due,
  { nowMs, machineNowMs, leaseMs, longestPauseMs }: ClaimRequest,
) {
  const waiting = db
    .selectFrom('notifications')
    .select(['transaction_code', 'position', 'next_attempt_at'])
    .where('lane', '=', lane)
    // Literal, so that PostgreSQL uses the partial index.
    .where('done_at', 'is', null)
    .where('blocked', '=', sql.lit(0))
    .where(sql<SqlBool>`${TRIED} = ${sql.lit(tried)}`)
    .where(isFree(machineNowMs, leaseMs))
    .orderBy('next_attempt_at', order)
    .limit(places)
  // Two ranges of an index; the second has rows only if the clock was set back.
  const due = waiting.where('next_attempt_at', '<=', nowMs)
  const ahead = waiting.where('next_attempt_at', '>', clockHorizonMs(nowMs, longestPauseMs))
  const both = db
    .selectFrom(due.as('due'))
    .selectAll()
    .unionAll(db.selectFrom(ahead.as('ahead')).selectAll())
  const first = db
    .selectFrom(both.as('due'))
    .select(['transaction_code', 'position', 'next_attempt_at'])
    .orderBy('next_attempt_at', order)
    .limit(places)
  return db
    .selectFrom(first.as('first'))
    .select(['transaction_code', 'position', 'next_attempt_at'])
    .select(sql.lit(tried).as('tried'))
}

/**
 * Notifications without attempts come first. A lane is probed with each notification in turn, so
 * that none keeps it failing; a person's probe uses the newest.
 */
function duesOf(
  { lane, has_new, has_tried, probes, places }: LaneWithPlaces,
  probed: ReadonlySet<Lane>,
): readonly Due[] {
  if (places === 0) return []
  const order = probes === 0 ? 'desc' : 'asc'
  const mayRepeat = has_tried === 1 && (probes === null || probed.has(lane))
  return [
    ...(has_new === 1 ? [{ lane, tried: 0, places, order: 'asc' } as const] : []),
    ...(mayRepeat
      ? [{ lane, tried: 1, places: probes === null ? places : 1, order } as const]
      : []),
  ]
}

type DueRows = ReturnType<typeof dueOf>

/** The first rows of several queries, each marked as tried or not. */
function firstOf(db: Db, [first, ...others]: readonly DueRows[], places: number) {
  if (first === undefined) return undefined
  const all = others.reduce((rows, next) => rows.unionAll(next), first)
  const inTurn = db
    .selectFrom(all.as('all'))
    .select(['transaction_code', 'position', 'next_attempt_at', 'tried'])
    .orderBy('tried')
    .orderBy('next_attempt_at')
    .limit(places)
  return db
    .selectFrom(inTurn.as('in_turn'))
    .select(['transaction_code', 'position', 'next_attempt_at', 'tried'])
}

interface Claimable {
  readonly stores: readonly StoreWithPlaces[]
  /** The lanes that this worker probes. */
  readonly probes: ReadonlySet<Lane>
}

/** The due notifications of a store, in turns of its hosts, those without attempts first. */
function dueOfStore(
  db: Db,
  { hosts, places }: StoreWithPlaces,
  { probes, request }: { readonly probes: ReadonlySet<Lane>; readonly request: ClaimRequest },
) {
  const ofHosts = hosts.flatMap((host) => {
    const dues = host.lanes
      .flatMap((lane) => duesOf(lane, probes))
      .map((due) => dueOf(db, due, request))
    return firstOf(db, dues, host.places) ?? []
  })
  const inTurns = ofHosts.map((rows) =>
    db
      .selectFrom(rows.as('of_host'))
      .select(['transaction_code', 'position', 'tried'])
      .select(sql<number>`row_number() over (order by tried, next_attempt_at)`.as('turn')),
  )
  const [first, ...others] = inTurns
  if (first === undefined) return []
  const all = others.reduce((rows, next) => rows.unionAll(next), first)
  const numbered = db
    .selectFrom(all.as('of_hosts'))
    .select(['transaction_code', 'position'])
    .select(sql<number>`row_number() over (order by tried, turn)`.as('turn'))
  return [db.selectFrom(numbered.as('of_store')).selectAll().where('turn', '<=', places)]
}

/**
 * Leases the due notifications of these stores, in turns: the first of each, then the second of
 * each. Skips those that another worker has leased meanwhile.
 */
async function lease(
  trx: Db,
  { stores, probes }: Claimable,
  request: ClaimRequest,
): Promise<readonly ClaimedNotification[]> {
  const { nowMs, machineNowMs, leaseMs, longestPauseMs } = request
  const leaseUntilMs = machineNowMs + leaseMs
  const [first, ...others] = stores.flatMap((store) => dueOfStore(trx, store, { probes, request }))
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
    // Repeated, because PostgreSQL checks only these for a row that has changed since the statement
    // began.
    .where(isUnfinished)
    .where(isPast('next_attempt_at', nowMs, longestPauseMs))
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
  return leased.map((row) => {
    const notification = storedNotification.read(row)
    return { ...notification, leaseUntilMs, lane: row.lane ?? laneOf(notification) }
  })
}

function isFree(machineNowMs: number, leaseMs: number) {
  return (when: ExpressionBuilder<GatewayTables, 'notifications'>) =>
    when.or([when('lease_until', 'is', null), isPast('lease_until', machineNowMs, leaseMs)])
}

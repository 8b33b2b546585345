// Claims due deliveries. An endpoint is a lane: one that fails or hangs takes few places, and those
// of its store and of all that fail are limited, too.
import { type Connection, type Database, prepare } from '@cofre/sql'
import { claimIn, clockHorizonMs, isPastBy } from '@cofre/work'
import type { GatewayTables } from '@cofre/gateway/room'
import { type SqlBool, sql } from 'kysely'
import type { ClaimedDelivery } from '../model/delivery.js'

type Db = Connection<GatewayTables>

/** The maximum of deliveries at once: in one worker, of a store, to an endpoint. */
export const DELIVERIES_AT_ONCE = 192
const OF_STORE = 24
const OF_ENDPOINT = 16
/** To an endpoint that did not accept the last, and to all of them together. */
const OF_SILENT = 2
const ALL_SILENT = 96

/** A worker's claim. */
export interface DeliveryClaim {
  /** By the environment's clock, which decides what is due. */
  readonly nowMs: number
  /** By the machine's clock, which decides when a claim ends. */
  readonly machineNowMs: number
  readonly leaseMs: number
  readonly limit: number
  /** The next probe of an endpoint that is probed now. */
  readonly nextProbeAtMs: number
  /** The longest pause of a delivery: a longer one was set before the clock was set back. */
  readonly longestPauseMs: number
}

interface EndpointWithWork {
  readonly code: string
  readonly merchant_id: string
  readonly accepts: number
  readonly probe_at: number | null
  /** Under way: to the endpoint, of its store, to all endpoints that accepted nothing lately. */
  readonly leased: number
  readonly leased_of_store: number
  readonly leased_of_silent: number
}

interface EndpointWithPlaces extends EndpointWithWork {
  readonly places: number
}

/** Leases due deliveries, each for exactly one caller until its lease ends. */
export async function claimDue(
  database: Database<GatewayTables>,
  claim: DeliveryClaim,
): Promise<readonly ClaimedDelivery[]> {
  // Usually nothing is due, which is found out without a unit of work.
  const endpoints = withinLimits(await endpointsWithWork(database.reader, claim), claim.limit)
  if (endpoints.length === 0) return []
  return await database.transact(async (trx) => {
    const claimed: ClaimedDelivery[] = []
    for (const endpoint of endpoints)
      if (endpoint.probe_at === null || (await takesProbe(trx, endpoint, claim)))
        claimed.push(...(await lease(trx, endpoint, claim)))
    return claimed
  })
}

interface WorkSearch {
  readonly now: number
  readonly pause_horizon: number
  readonly machine_now: number
  readonly lease_horizon: number
  readonly limit: number
}

async function endpointsWithWork(
  reader: Db,
  { nowMs, machineNowMs, leaseMs, limit, longestPauseMs }: DeliveryClaim,
): Promise<readonly EndpointWithWork[]> {
  const { rows } = await reader.run(
    findEndpointsWithWork({
      now: nowMs,
      pause_horizon: clockHorizonMs(nowMs, longestPauseMs),
      machine_now: machineNowMs,
      lease_horizon: clockHorizonMs(machineNowMs, leaseMs),
      limit,
    }),
  )
  return rows
}

/** In random order, so that none comes first for long. */
const findEndpointsWithWork = prepare((db: Db, search: WorkSearch) => {
  const { now, pause_horizon, machine_now, lease_horizon, limit } = search
  const open = sql`from event_deliveries where done_at is null`
  const isDue = (repeated: 0 | 1) => {
    const free = sql`select 1 ${open} and endpoint_code = event_endpoints.code and blocked = 0
      and repeated = ${sql.lit(repeated)}
      and (lease_until is null or ${isPastBy('lease_until', machine_now, lease_horizon)})`
    // Two ranges of an index, however many wait for their next attempt.
    return sql`exists (${free} and next_attempt_at <= ${now})
      or exists (${free} and next_attempt_at > ${pause_horizon})`
  }
  // `+ 0`: see `OwnSqliteCompiler` of @cofre/sql.
  const query = sql<EndpointWithWork>`
    with recursive lanes(code) as (
      select min(endpoint_code) ${open}
      union all
      select (select min(endpoint_code) ${open} and endpoint_code > lanes.code) from lanes
      where lanes.code is not null
    ), under_way as (
      select event_endpoints.code, merchant_id, accepts, count(*) as leased
      from event_deliveries join event_endpoints
        on event_endpoints.code = event_deliveries.endpoint_code
      where lease_until is not null and lease_until > ${machine_now}
        and lease_until <= ${lease_horizon}
      group by event_endpoints.code, merchant_id, accepts
    )
    select event_endpoints.code, event_endpoints.merchant_id, event_endpoints.accepts, probe_at,
      cast(coalesce((select sum(leased) from under_way
        where under_way.code = event_endpoints.code), 0) as integer) as leased,
      cast(coalesce((select sum(leased) from under_way
        where under_way.merchant_id = event_endpoints.merchant_id), 0) as integer)
        as leased_of_store,
      cast(coalesce((select sum(leased) from under_way where accepts = 0), 0) as integer)
        as leased_of_silent
    from lanes join event_endpoints on event_endpoints.code = lanes.code
    where enabled = 1 and (probe_at is null or ${isPastBy('probe_at', now, pause_horizon)})
      and (${isDue(0)} or ${isDue(1)})
    order by random() limit ${limit} + 0
  `
  return { compile: () => query.compile(db) }
})

/** The endpoints that have free places, those that accept first. */
function withinLimits(
  found: readonly EndpointWithWork[],
  limit: number,
): readonly EndpointWithPlaces[] {
  let left = limit
  let leftOfSilent = ALL_SILENT - (found[0]?.leased_of_silent ?? 0)
  const leftOfStore = new Map(found.map((one) => [one.merchant_id, OF_STORE - one.leased_of_store]))
  const withPlaces: EndpointWithPlaces[] = []
  for (const endpoint of found.toSorted((one, other) => other.accepts - one.accepts)) {
    const { accepts, leased, merchant_id: store, probe_at } = endpoint
    const isSilent = accepts === 0
    const share = probe_at !== null ? 1 : isSilent ? OF_SILENT : OF_ENDPOINT
    const free = Math.min(share - leased, leftOfStore.get(store) ?? 0, left)
    const places = isSilent ? Math.min(free, leftOfSilent) : free
    if (places <= 0) continue
    left -= places
    leftOfStore.set(store, (leftOfStore.get(store) ?? 0) - places)
    if (isSilent) leftOfSilent -= places
    withPlaces.push({ ...endpoint, places })
  }
  // In one order everywhere: two workers never wait for each other.
  return withPlaces.toSorted((one, other) => (one.code < other.code ? -1 : 1))
}

/** False if another worker has taken the probe. */
async function takesProbe(
  trx: Db,
  { code, probe_at }: EndpointWithWork,
  { nextProbeAtMs }: DeliveryClaim,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('event_endpoints')
    .set({ probe_at: nextProbeAtMs })
    .where('code', '=', code)
    .where('probe_at', '=', probe_at)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Those that were not refused come first: a receiver may refuse some of them for ever. */
async function lease(
  trx: Db,
  { code, places, probe_at }: EndpointWithPlaces,
  claim: DeliveryClaim,
): Promise<readonly ClaimedDelivery[]> {
  const isProbe = probe_at !== null
  const untried = await leaseSome(trx, { code, places, repeated: 0, isProbe }, claim)
  const left = places - untried.length
  if (left === 0) return untried
  return [
    ...untried,
    ...(await leaseSome(trx, { code, places: left, repeated: 1, isProbe }, claim)),
  ]
}

interface Wanted {
  readonly code: string
  readonly places: number
  readonly repeated: 0 | 1
  readonly isProbe: boolean
}

/** True while a later one of the same payment, before which this was sent again, is under way. */
const isSentBeside = (machineNowMs: number, leaseMs: number) =>
  sql<SqlBool>`exists (select 1 from event_deliveries as later
    where later.endpoint_code = event_deliveries.endpoint_code
      and later.subject = event_deliveries.subject
      and later.position > event_deliveries.position and later.done_at is null
      and later.lease_until > ${machineNowMs}
      and later.lease_until <= ${clockHorizonMs(machineNowMs, leaseMs)})`

async function leaseSome(
  trx: Db,
  { code, places, repeated, isProbe }: Wanted,
  { nowMs, machineNowMs, leaseMs, longestPauseMs }: DeliveryClaim,
): Promise<readonly ClaimedDelivery[]> {
  const leaseUntilMs = machineNowMs + leaseMs
  const rows = await claimIn(trx, {
    table: 'event_deliveries',
    key: ['endpoint_code', 'subject', 'position'],
    rows: (db) =>
      db
        .selectFrom('event_deliveries')
        .select(['endpoint_code', 'subject', 'position'])
        .where('endpoint_code', '=', code)
        .where('done_at', 'is', null)
        .where('blocked', '=', 0)
        .where('repeated', '=', repeated)
        .where((of) => of.not(isSentBeside(machineNowMs, leaseMs)))
        // The newest is what a person has just sent again.
        .$if(isProbe && repeated === 0, (of) => of.orderBy('next_attempt_at', 'desc')),
    due: {
      at: 'next_attempt_at',
      longestMs: longestPauseMs,
      nowMs,
      limit: places,
      lease: { until: 'lease_until', longestMs: leaseMs, nowMs: machineNowMs },
    },
    take: () => ({ lease_until: leaseUntilMs }),
  })
  return rows.map(({ subject, position }) => ({
    endpointCode: code,
    subject,
    position,
    leaseUntilMs,
  }))
}
